// Every loop has a bound: creates, creates with a dedup key, settlements and updates against a store and a service that
// contradict themselves at random end, and say how.
import fc from "fast-check";
import { expect, it } from "vitest";
import { createAll } from "../../../src/delivery/batch/batch.ts";
import { createUnlessOpen } from "../../../src/delivery/batch/dedup-key.ts";
import { postOnce } from "../../../src/delivery/changes/update-operation.ts";
import { lookAgain, recordDecision } from "../../../src/delivery/settle-by-person.ts";
import type { AddUpdate } from "../../../src/document/contract.ts";
import { findOperations } from "../../../src/document/find-operations.ts";
import { Failure } from "../../../src/failure.ts";
import type { Outcome, Transport } from "../../../src/http/transport.ts";
import type { OperationEvent, OwnEvent } from "../../../src/journal/events.ts";
import type { Entry, Sequence, Sequences } from "../../../src/journal/sequence.ts";
import { createSandbox } from "../../../src/sandbox/app.ts";
import { definition, incidentId, service } from "../../harness/builders.ts";
import { createClock, createRandom } from "../../harness/incident.ts";
import { answer, incidentOf, lost, refusal } from "../services-by-hand.ts";
import { account, at, key, openDelivery, requestOf } from "./deliveries.ts";

const seed = Number(process.env.INCIDENT_TEST_SEED ?? Date.now());
const most = { requests: 2000, appends: 1000, reads: 5000 };

const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 1000, content } as const;
const foreign: readonly OperationEvent[] = [
  sending,
  { type: "uncertain", at, attempt: 0, reason: "" },
  { type: "unsent", at, attempt: 0, reason: "" },
  { type: "refused", at, attempt: 0, status: 400, message: "" },
  { type: "created", at, by: "person", serviceId: service.id },
  { type: "fired", at, alertStarts: ["a"] },
  { type: "not-created", at },
];

/** What a store and a service do next. */
interface Chance {
  /** A number below `count`. */
  readonly pick: (count: number) => number;
  readonly count: (what: keyof typeof most) => void;
}

/** Keeps what it likes, shows what it likes, and lets others append at any time. */
function createContrary({ count, pick }: Chance): Sequences {
  const entries: Entry[] = [];
  /** An event of another process at the place of each of these. */
  const ofOther = (entry: Entry): Entry => {
    const events = (entry.events as readonly OwnEvent[]).map(({ id }) => ({
      id,
      event: foreign[pick(foreign.length)],
    }));
    return { ...entry, writer: "other", events };
  };
  const sequence: Sequence = {
    place: (number) => `entry ${number}`,
    mayDrop: () => false,
    drop: async () => undefined,
    async append(at, entry) {
      count("appends");
      if (pick(2) === 0)
        entries[pick(3) === 0 ? at : entries.length] = pick(2) === 0 ? entry : ofOther(entry);
      const result = (["ours", "taken"] as const)[pick(3)];
      if (result !== undefined) return result;
      throw new Failure("unavailable", "the store does not answer", { hint: "wait", retryable: true });
    },
    async read(from) {
      count("reads");
      const last = entries.at(-1);
      if (last !== undefined && pick(3) === 0) entries.push(ofOther(last));
      if (pick(20) === 0)
        throw new Failure("unavailable", "the store is away", { hint: "wait", retryable: pick(2) === 0 });
      const shown = [...entries].slice(from).filter((each) => each !== undefined);
      return {
        first: pick(9) === 0 ? from + 1 : from,
        entries: pick(4) === 0 ? shown.slice(0, pick(shown.length + 1)) : shown,
      };
    },
  };
  return { names: async () => ["other"], open: () => sequence };
}

/** Any status with any id, and any ending of a request. */
function createContraryService({ count, pick }: Chance): Transport {
  const statuses = [200, 201, 202, 301, 400, 401, 404, 409, 422, 429, 500, 503];
  const ids = [incidentId, service.id, "7c9e6679-7425-40de-944b-e07fc1f90ae7", "x", "..", "\ud800"];
  return async (request, control): Promise<Outcome> => {
    count("requests");
    if (request.method !== "GET") await control.beforeSend?.();
    if (pick(6) === 0) return lost;
    if (pick(12) === 0) return { phase: "unsent", reason: "connection", detail: "closed" };
    const status = statuses[pick(statuses.length)] as number;
    if (status >= 400 && pick(2) === 0) return refusal(status);
    const own = request.url.split("/").at(-1) ?? "";
    const id = pick(2) === 0 ? own : ids[pick(ids.length)];
    return answer(status, incidentOf({ id, lastUpdateStatus: pick(2) === 0 ? "RESOLVED" : "MONITORING" }));
  };
}

type Opened = ReturnType<typeof openDelivery>;
type Options = Opened["options"] & Parameters<typeof createAll>[0];

const openapi = await createSandbox({
  clock: createClock(),
  random: createRandom(),
  onlySpec: false,
  apiKey: "key",
  accountId: account,
}).transport({ method: "GET", url: `${key.baseUrl}/openapi.json`, headers: {} }, { deadline: 1000 });
const addUpdate = findOperations(
  openapi.phase === "answered" ? JSON.parse(new TextDecoder().decode(openapi.body)) : {},
).addUpdate as AddUpdate;
const commands: Readonly<Record<string, (options: Options) => Promise<unknown>>> = {
  create: (options) => createAll(options, [definition()]),
  "create of an id": (options) => createAll(options, [definition({ id: incidentId })]),
  "create --new": (options) => createAll({ ...options, isNew: true }, [definition()]),
  "create --dedup-key": (options) => createUnlessOpen({ ...options, isNew: true }, definition(), "alert"),
  "journal settle": async (options) => {
    const log = await options.journal.read(key);
    if (log.state === "new") await options.journal.append(log, sending);
    await lookAgain(options, await options.journal.read(key));
  },
  "journal settle --not-created": async (options) => {
    const { log } = await options.journal.append(await options.journal.read(key), sending);
    return recordDecision(options, log, { type: "not-created" });
  },
  update: (options) =>
    postOnce(options, addUpdate, {
      incident: incidentOf() as never,
      readAt: 0,
      entry: { description: "x", status: "MONITORING" },
      occurrence: 0,
    }),
};

/** The kinds of failures that the help of the four commands names. */
const documented = [
  "usage",
  "credentials",
  "missing",
  "rejected",
  "unavailable",
  "uncertain",
  "partial",
  "drift",
];

it.each(Object.entries(commands))("%s ends, whatever the store and the service say", async (_, command) => {
  // They repeat, so that a loop which ends by chance does not end.
  const numbers = fc.array(fc.nat(2 ** 30), { minLength: 1, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(numbers, fc.boolean(), async (given, isStoreSound) => {
      let picks = 0;
      const next = () => given[picks++ % given.length] as number;
      const counts = { requests: 0, appends: 0, reads: 0 };
      const chance: Chance = {
        pick: (count) => next() % count,
        count(what) {
          counts[what] += 1;
          if (counts[what] > most[what]) throw new Error(`more than ${most[what]} ${what}`);
        },
      };
      const opened: Opened = openDelivery({
        transport: createContraryService(chance),
        ...(!isStoreSound && { sequences: createContrary(chance) }),
      });
      const end = await command({ ...opened.options, isNew: false } as Options).catch((error) => error);
      if (end instanceof Error && !(end instanceof Failure)) throw end;
      if (end instanceof Failure) expect(documented).toContain(end.kind);
    }),
    { seed, numRuns: 40 },
  );
});
