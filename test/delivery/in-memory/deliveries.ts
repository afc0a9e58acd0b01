// The delivery code without a command: the real client and journal in memory, a service by hand, and everything that a
// run keeps from one step to the next, as text.
import { createClient } from "../../../src/api/client.ts";
import { createOnce } from "../../../src/delivery/create-once.ts";
import type { DeliveryOptions, DeliveryRequest, Progress } from "../../../src/delivery/delivery-options.ts";
import { nextStep } from "../../../src/delivery/next-step.ts";
import { Failure } from "../../../src/failure.ts";
import type { Outcome, Transport } from "../../../src/http/transport.ts";
import type { Definition } from "../../../src/incident/definition.ts";
import { contentOf } from "../../../src/journal/content.ts";
import type { OperationEvent, OperationKey } from "../../../src/journal/events.ts";
import { emptyLog } from "../../../src/journal/fold.ts";
import { createJournal, type Journal } from "../../../src/journal/journal.ts";
import type { Sequences } from "../../../src/journal/sequence.ts";
import { access, definition as aDefinition, clientSettings, incidentId } from "../../harness/builders.ts";
import { createClock, createRandom } from "../../harness/incident.ts";
import { createMemorySequences } from "../../journal/memory-sequences.ts";
import { createService, refusal } from "../services-by-hand.ts";

const baseUrl = access.baseUrl;
export const account = access.accountId;
export const key: OperationKey = { baseUrl, account, id: incidentId };
export const at = "2026-11-20T06:31:00.000Z";

export interface Setup extends Partial<DeliveryOptions> {
  readonly transport: Transport;
  /** What earlier creates have shown about ids. */
  readonly learned?: readonly ("honoured" | "ignored")[];
  readonly signal?: AbortSignal;
  readonly sequences?: Sequences;
  readonly wrapJournal?: (journal: Journal) => Journal;
}

export function openDelivery({ learned = [], sequences, signal, transport, wrapJournal, ...more }: Setup) {
  const clock = createClock();
  const told: string[] = [];
  const kept: string[] = [];
  const system = {
    clock,
    random: createRandom(),
    signal: signal ?? new AbortController().signal,
    startDeadline: (milliseconds: number) => {
      const end = clock.monotonic() + milliseconds;
      return () => clock.monotonic() >= end;
    },
    holdExit: () => () => undefined,
    localOffset: () => 60,
  };
  // No two processes give an entry the same writer.
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
  const own = createJournal({
    sequences: sequences ?? createMemorySequences(),
    system: { ...system, random, clock: sequences ? { ...clock, sleep: async () => undefined } : clock },
  });
  const learning: Journal = {
    ...own,
    known(service) {
      const model = own.known(service);
      return { ...model, ids: model.ids === "unknown" ? (learned.at(-1) ?? model.ids) : model.ids };
    },
  };
  const journal = wrapJournal?.(learning) ?? learning;
  const options: DeliveryOptions = {
    system,
    reporter: {
      info: (text) => void told.push(text),
      warn: (text) => void told.push(`warning: ${text}`),
      withSpinner: (_say, work) => work(),
    },
    client: createClient(clientSettings, transport, { deadline: 30_000, signal: system.signal }),
    service: { baseUrl, account },
    journal,
    maxRetries: 2,
    operations: async () => ({}),
    isNew: more.operations === undefined,
    began: clock.monotonic(),
    memory: { answers: new Map(), similar: new Set() },
    settleFor: 1000,
    waitForRetry: (_outcome, milliseconds) => clock.sleep(milliseconds),
    nextStep(progress, request) {
      kept.push(describeProgress(progress));
      return nextStep(progress, request);
    },
    ...more,
  };
  /** Another process, or a person, appends the event that comes next. */
  const append = async (event: OperationEvent, operation = key) =>
    (await journal.append(await journal.read(operation), event)).log;
  return { append, clock, kept, options, told };
}

/** A journal that fails to append the event with this number, from 1, and those after it. */
export const failingFrom =
  (number: number) =>
  (journal: Journal): Journal => {
    let appends = 0;
    return {
      ...journal,
      async append(...args) {
        appends += 1;
        if (appends < number) return journal.append(...args);
        throw new Failure("unavailable", "the disk is full", { hint: "make room" });
      },
    };
  };

export function requestOf(fields: Partial<Definition> = {}, more: Partial<DeliveryRequest> = {}) {
  const content = contentOf(aDefinition(fields), incidentId, account);
  return { log: emptyLog(key), mayExist: false, content, ...more };
}

/** The outcome of a request, after what happens meanwhile: an event that another process appends, or anything else. */
export type Happening = Outcome | readonly [...(OperationEvent | (() => void))[], Outcome];

/** A delivery whose creates and reads end like this in turn; the last read repeats. */
export function openScripted(
  creates: readonly Happening[],
  reads: readonly Happening[] = [refusal(404)],
  setup: Omit<Setup, "transport"> = {},
) {
  const requests: string[] = [];
  const answerTo = async (happening: Happening | undefined): Promise<Outcome> => {
    if (happening === undefined) throw new Error("a request too many");
    const parts = "phase" in happening ? [happening] : happening;
    for (const part of parts.slice(0, -1)) {
      if (typeof part === "function") part();
      else await delivery.append(part as OperationEvent);
    }
    return parts.at(-1) as Outcome;
  };
  let read = 0;
  const { transport } = createService(
    ({ id }, number) => {
      requests.push(id === undefined ? "create" : `create ${id}`);
      return answerTo(creates[number - 1]);
    },
    (id) => {
      requests.push(`read ${id} at ${delivery.clock.monotonic()}`);
      read += 1;
      return answerTo(reads[read - 1] ?? reads.at(-1));
    },
  );
  const delivery = openDelivery({ transport, ...setup });
  return { ...delivery, requests };
}

/** Runs one create. Gives its end, what it keeps before each step, what it tells, and the log without times. */
export async function declare(
  { clock, kept, options, requests, told }: ReturnType<typeof openScripted>,
  request: DeliveryRequest = requestOf(),
) {
  const start = clock.monotonic();
  const log = await options.journal.read(key);
  const end = await createOnce(options, { ...request, log }).then(
    ({ failure, how, incident, since }) => [
      since === undefined ? `${how} ${incident.id}` : `${how} ${incident.id} since ${since}`,
      ...(failure ? [failure.message] : []),
    ],
    (error: Error & { kind?: string }) => [`${error.kind ?? error.name}: ${error.message}`],
  );
  const { events } = await options.journal.read(key);
  return {
    end: short(end),
    kept,
    told: short(told),
    requests: short(requests),
    events: short(events.map(describeEvent)),
    learned: options.journal.known(options.service).ids,
    duration: clock.monotonic() - start,
  };
}

/** With shorter texts for what many messages have. */
export function short(texts: readonly string[]): string[] {
  return texts.map((text) =>
    text
      .replaceAll(incidentId, "ID")
      .replace(/it is not known whether "[^"]*" was declared: it was sent at [-+:\d ]+ as ID/, "not known")
      .replace(/; it was not found within .*/, "; not found"),
  );
}

function describeEvent({ at: _, type, ...fields }: OperationEvent): string {
  const shown = Object.entries(fields).map(([name, value]) =>
    typeof value === "object" && !Array.isArray(value) ? name : `${name} ${value}`,
  );
  return [type, ...shown].join(", ");
}

function describeProgress(progress: Progress): string {
  const { attempts, ending: last, isUnclear, log, look, readBack, withoutId } = progress;
  return [
    log.state,
    attempts,
    isUnclear && "unclear before",
    withoutId && "without id",
    last && `${last.kind}${last.delay === undefined ? "" : ` ${last.delay} ms`}`,
    look && `look ${look}`,
    readBack && `read back ${readBack}`,
  ]
    .filter((part) => typeof part === "number" || Boolean(part))
    .join(", ");
}
