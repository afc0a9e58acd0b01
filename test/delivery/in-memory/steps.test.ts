// The steps of a create in memory: what a run keeps from one step to the next, what it sends and looks for, and what it
// appends to the log.
import { describe, expect, it } from "vitest";
import { createAll } from "../../../src/delivery/batch/batch.ts";
import { wait } from "../../../src/delivery/deliver.ts";
import type { DeliveryRequest } from "../../../src/delivery/delivery-options.ts";
import { noFindings } from "../../../src/delivery/next-step.ts";
import type { Outcome } from "../../../src/http/transport.ts";
import type { Update } from "../../../src/incident/definition.ts";
import type { OperationEvent, OperationLog } from "../../../src/journal/events.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { emptyModel, type Model, operationIn } from "../../../src/journal/model.ts";
import { definition, incidentId, numberedId } from "../../harness/builders.ts";
import { createMemorySequences, withChanges } from "../../journal/memory-sequences.ts";
import { allLogs } from "../all-logs.ts";
import { answer, createService, incidentOf, lost, refusal } from "../services-by-hand.ts";
import {
  at,
  declare,
  failingFrom,
  type Happening,
  openDelivery,
  openScripted,
  requestOf,
} from "./deliveries.ts";

const [before, after] = allLogs(1);
const reads = { look: "absent", readBack: "absent" } as const;

describe("after a wait", () => {
  it.each([
    ["no read counts, for other machines", before],
    ["in which another process appends to the log, no read counts", after],
  ])("%s", async (_, log) => {
    const found = { attempts: 1, isUnclear: true, withoutId: true };
    const { events, key } = log as OperationLog;
    const operations = new Map([[key.id, { first: 0, events, began: 0 }]]);
    const journal = { model: async () => ({ ...emptyModel, operations }) };
    const logIn = (model: Model) => operationIn(model, key);
    const options = { journal, system: { signal: new AbortController().signal } } as never;
    const progress = { log: before, ...noFindings, ...found, ...reads } as Parameters<typeof wait>[2];
    expect(await wait(options, { logIn }, progress, 1)).toEqual({ log, ...found });
  });
});

interface Row {
  readonly creates?: readonly Happening[];
  readonly reads?: readonly Happening[];
  readonly earlier?: readonly OperationEvent[];
  readonly setup?: Parameters<typeof openScripted>[2];
  readonly request?: DeliveryRequest;
  readonly is: Partial<Awaited<ReturnType<typeof declare>>>;
}

async function check({ creates = [], earlier = [], is, reads, request, setup }: Row): Promise<void> {
  const delivery = openScripted(creates, reads, setup);
  for (const event of earlier) await delivery.append(event);
  const run = await declare(delivery, request);
  expect(Object.fromEntries(Object.entries(run).filter(([name]) => name in is))).toEqual(is);
}

const other = numberedId(7);
const capitals = incidentId.toUpperCase();
const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 3000, content } as const;
const notCreated = { type: "not-created", at } as const;
const byReading = { type: "created", at, by: "reading", serviceId: incidentId } as const;

const unsent = { phase: "unsent", reason: "connection", detail: "refused" } as const;
const missing = refusal(404);
const created = answer(201, incidentOf());
const found = answer(200, incidentOf());
/** The service names another incident. */
const located = answer(303, "", { location: `/v1/status-pages/incidents/${other}` });
const another = { name: "Refunds fail", severity: "MINOR", services: [], incidentUpdates: [] };
const foundUnder = (id: string, fields: object = {}) => answer(200, incidentOf({ id, ...fields }));
const mayExist = requestOf({}, { mayExist: true });

const fail = (error: Error) => {
  throw error;
};

const isLost = "127.0.0.1:1 did not answer: reset";
const checking = `${isLost}; checking whether it was created`;
const began = "sending, withId true, deadline 30000, notify false, content";
const ended = (attempt: number) => `uncertain, attempt ${attempt}, reason ${isLost}`;
const refused = (attempt: number) =>
  `refused, attempt ${attempt}, status 403, message the key has no permission for this (403: Refused)`;
const notSent = (attempt: number) =>
  `unsent, attempt ${attempt}, reason 127.0.0.1:1 could not be reached: refused`;
const answered = "created, by answer, serviceId ID, ids honoured";
const readBack = "created, by reading, serviceId ID";
const remembered = `found ID since ${at}`;
const notKnown = "uncertain: not known";
const unknown = `${notKnown}; not found`;
const keyRefused = "the key was refused (401: Refused)";
const isDown = "the service answered 503: Refused";
const declared = ["declared ID"];
const fresh = "new, 0";
const sentAndRead = ["create ID", "read ID at 0"];
const differs = (id: string) =>
  `incident ${id} differs from its definition: severity is "MINOR", not "MAJOR"`;
const forbidden = "credentials: the key has no permission for this (403: Refused)";
const inConflict = [fresh, "refused, 1, conflict"];
const unclear = "uncertain, 1, unclear before, unclear";
const onceMore = `warning: two looks, at least 30 s apart, did not find "Checkout fails" after a server error; sending it once more`;

describe("from one step to the next, a create keeps", () => {
  it.each(
    Object.entries<Row>({
      "no look from before a 429, which may come after a commit, nor from before an attempt that is lost": {
        creates: [refusal(503), refusal(429), lost],
        setup: { learned: ["honoured", "honoured"], maxRetries: 4 },
        is: {
          end: [`uncertain: not known; ${isLost}; not found`],
          kept: [
            fresh,
            unclear,
            "uncertain, 1, unclear before, unclear, read back missed",
            "uncertain, 2, unclear before, rate-limited 1000 ms",
            "uncertain, 2, unclear before",
            "uncertain, 2, unclear before, read back missed",
            "uncertain, 3, unclear before, unclear",
            "uncertain, 3, unclear before, unclear, read back absent",
          ],
          events: [
            began,
            "uncertain, attempt 0, reason the service answered 503: Refused, status 503",
            began,
            "refused, attempt 2, status 429, message too many requests (429: Refused)",
            began,
            ended(4),
          ],
          told: [`${isDown}; checking whether it was created`, onceMore, onceMore, checking],
          duration: 62_000,
        },
      },
      "no look from before an attempt, and looks again before the next": {
        creates: [unsent, refusal(429), created],
        request: mayExist,
        is: {
          end: declared,
          kept: [
            fresh,
            "new, 0, look absent",
            "sendable, 1, unsent 500 ms",
            "sendable, 1",
            "sendable, 1, look absent",
            "refused, 2, rate-limited 1000 ms",
            "refused, 2",
            "refused, 2, look absent",
          ],
          requests: [
            "read ID at 0",
            "create ID",
            "read ID at 500",
            "create ID",
            "read ID at 1500",
            "create ID",
          ],
        },
      },
      "that the id was refused, and looks once more before it is sent without": {
        creates: [refusal(400), refusal(403)],
        request: mayExist,
        is: {
          end: [forbidden],
          kept: [
            fresh,
            "new, 0, look absent",
            "refused, 1, without id, id-refused",
            "refused, 1, without id, id-refused, look absent",
            "refused, 2, without id, refused",
          ],
          requests: ["read ID at 0", "create ID", "read ID at 0", "create"],
        },
      },
      "that its attempt is unclear, also where a person has decided meanwhile that it did not happen": {
        creates: [lost],
        reads: [[notCreated, missing]],
        is: { end: [unknown], kept: [fresh, unclear, "sendable, 1, unclear before"], requests: sentAndRead },
      },
      "so also where it has found the incident by then: it is not sent again": {
        creates: [lost],
        reads: [[notCreated, found]],
        is: { end: [unknown], events: [began, ended(0), "not-created"], requests: sentAndRead },
      },
      "the unknown outcome of an earlier attempt, also after a fault of the tool": {
        reads: [[() => fail(new TypeError("x is undefined")), missing]],
        earlier: [sending],
        is: { end: ["uncertain: not known; this is a bug in incident: x is undefined; not found"] },
      },
    }),
  )("%s", (_, row) => check(row));
});

describe("the incident that a create looks for", () => {
  it.each(
    Object.entries<Row>({
      "is found under its id": {
        creates: [lost],
        reads: [found],
        is: { end: declared, events: [began, ended(0), readBack] },
      },
      "is found before it is sent": {
        reads: [found],
        request: mayExist,
        is: { end: ["found ID"], events: ["created, by reading, serviceId ID, content"] },
      },
      "is found after a conflict": {
        creates: [refusal(409)],
        reads: [found],
        is: { end: ["found ID"], kept: inConflict, requests: sentAndRead },
      },
      "may have been edited since an earlier attempt": {
        reads: [foundUnder(incidentId, { severity: "MINOR" })],
        earlier: [sending],
        is: { end: ["found ID"], told: [`warning: ${differs("ID")}`] },
      },
      "is another one where nothing was sent and it differs": {
        reads: [foundUnder(incidentId, { severity: "MINOR" })],
        request: mayExist,
        is: { end: ['rejected: incident ID exists and differs: severity is "MINOR", not "MAJOR"'] },
      },
      "is looked for again, without a warning, where the service cannot answer now": {
        creates: [lost],
        reads: [refusal(503), found],
        is: { end: declared, told: [checking] },
      },
      "has a chosen id, and is another one by its content": {
        creates: [lost],
        reads: [foundUnder(capitals, another)],
        is: {
          end: [expect.stringMatching(/^uncertain: not known; incident \S+ exists and differs: name is/)],
          kept: [fresh, unclear, "uncertain, 1, unclear before, unclear, read back failed"],
        },
      },
      "has a random id, and is its own with any content": {
        creates: [lost],
        reads: [foundUnder(incidentId, another)],
        request: requestOf({}, { claim: 1 }),
        is: {
          end: declared,
          told: [checking, expect.stringContaining("warning: incident ID differs from its definition")],
        },
      },
      "is its own with the text of any alert, of which nothing is said": {
        creates: [lost],
        reads: [foundUnder(incidentId, another)],
        setup: { acceptsAnyContent: true },
        is: { end: declared, told: [checking] },
      },
      "is looked for after 250, 500, 1000 and then every 2000 ms, and once more at the end": {
        creates: [lost],
        setup: { settleFor: 5751 },
        is: {
          requests: ["create ID", ...[0, 250, 750, 1750, 3750, 5750, 5751].map((ms) => `read ID at ${ms}`)],
        },
      },
      "is not looked for where ids are ignored": {
        creates: [lost],
        setup: { learned: ["ignored", "ignored"] },
        is: { requests: ["create ID"], duration: 0 },
      },
      "is not looked for where it was sent without an id, but its sender is waited for": {
        earlier: [{ ...sending, withId: false }],
        is: { requests: [], duration: 3000, kept: ["sending, 0", "sending, 0, read back absent"] },
      },
      "is that of an alert with another text": {
        reads: [found],
        earlier: [sending],
        request: requestOf({ name: "Refunds fail" }),
        setup: { acceptsAnyContent: true },
        is: { end: ["found ID"], duration: 0 },
      },
    }),
  )("%s", (_, row) => check(row));
});

const cut = { phase: "unanswered", reason: "cancelled", detail: "cancelled" } as const;
it.each<[string, (stop: () => void) => Row]>([
  ["looks", (stop) => ({ reads: [[stop, cut]], request: mayExist, is: { kept: [fresh] } })],
  [
    "waits",
    (stop) => ({
      creates: [refusal(429)],
      setup: { waitForRetry: async () => stop() },
      is: { kept: [fresh, "refused, 1, rate-limited 500 ms"] },
    }),
  ],
])("a create that is interrupted while it %s ends, and sends nothing more", async (_, rowOf) => {
  const controller = new AbortController();
  const { is, setup, ...row } = rowOf(() => controller.abort("SIGINT"));
  const end = ["interrupted: cancelled by Ctrl-C"];
  await check({ ...row, setup: { ...setup, signal: controller.signal }, is: { ...is, end } });
});

describe("a create of a declared incident", () => {
  const loud = { description: "We are looking into it.", notifySubscribers: true };
  const quiet = { description: "It is solved.", notifySubscribers: false };
  const whole = { ...byReading, content };
  const unheard = "rejected: incident ID has it already, and it did not notify subscribers";
  const asking = (incidentUpdates: Update[], notify: boolean | undefined, end: string): Row => {
    const request = requestOf({ incidentUpdates });
    const { content } = request;
    return {
      request,
      reads: [answer(200, { id: incidentId })],
      earlier: [{ ...sending, content, ...(notify !== undefined && { notify }) }, byReading],
      is: { end: [end], told: [] },
    };
  };

  it.each(
    Object.entries<Row>({
      "fails where the service cannot be asked, and names the incident": {
        reads: [refusal(401)],
        earlier: [whole],
        is: { end: [`credentials: ID was declared from here at 2026-11-20 07:31 +01:00; ${keyRefused}`] },
      },
      "tells how it differs now": {
        reads: [foundUnder(incidentId, { severity: "MINOR" })],
        earlier: [whole],
        is: { end: [remembered], told: [`warning: ${differs("ID")}`] },
      },
      "tells nothing of the differences of an alert": {
        reads: [foundUnder(incidentId, { severity: "MINOR" })],
        earlier: [whole],
        setup: { acceptsAnyContent: true },
        is: { end: [remembered], told: [] },
      },
      "that was declared without a notification, and asks for one, is rejected": asking(
        [loud, quiet],
        false,
        unheard,
      ),
      "that was declared with a notification, and asks for one, is answered": asking(
        [loud, quiet],
        true,
        remembered,
      ),
      "of which nothing says whether it notified is answered": asking([loud], undefined, remembered),
    }),
  )("%s", (_, row) => check(row));
});

it("a create without an id reads the journal as it begins, and to look for others", async () => {
  let readings = 0;
  const sequences = withChanges(createMemorySequences(), ({ read }) => ({
    read(from) {
      readings += 1;
      return read(from);
    },
  }));
  const { options } = openScripted([created], [refusal(404)], { sequences, isNew: false });
  await createAll(options, [definition()]);
  expect(readings).toBe(2);
});

it("a create ends where the journal never takes its step", async () => {
  let appends = 0;
  const wrapJournal = (journal: Journal): Journal => ({
    ...journal,
    async append(log) {
      if (++appends > 1000) throw new Error("endless");
      return { result: "lost", model: emptyModel, log };
    },
  });
  await check({
    setup: { wrapJournal },
    is: { end: ["unavailable: the log of ID in the journal changes without an end"], requests: [] },
  });
});

describe("an attempt", () => {
  it.each(
    Object.entries<Row>({
      "that is answered with the id in capitals is declared under that id, without a warning": {
        creates: [answer(201, incidentOf({ id: capitals }))],
        is: {
          end: [`declared ${capitals}`],
          told: [],
          events: [began, `created, by answer, serviceId ${capitals}, ids honoured`],
          learned: "honoured",
        },
      },
      "that is answered with another id shows that ids are ignored": {
        creates: [answer(201, incidentOf({ id: other }))],
        is: { end: [`declared ${other}`], told: [expect.stringContaining("its own id")], learned: "ignored" },
      },
      "that is answered with an edited incident under a random id is declared, with a warning": {
        creates: [answer(201, incidentOf(another))],
        request: requestOf({}, { claim: 1 }),
        is: { end: declared, told: [expect.stringContaining("differs from its definition")] },
      },
    }),
  )("%s", (_, row) => check(row));

  it.each(
    Object.entries<(stop: () => void) => Row>({
      "it was lost": (stop) => ({ creates: [[stop, lost]], is: { told: [], requests: ["create ID"] } }),
      "it is looked for": (stop) => ({
        creates: [lost],
        reads: [[stop, refusal(401)]],
        is: { told: [checking], duration: 0 },
      }),
    }),
  )("that is interrupted when %s ends with the interruption", async (_, rowOf) => {
    const controller = new AbortController();
    const { is, ...row } = rowOf(() => controller.abort("SIGINT"));
    const end = ["uncertain: not known; cancelled by Ctrl-C"];
    await check({ ...row, setup: { signal: controller.signal }, is: { ...is, end } });
  });

  it.each(
    Object.entries<[Outcome, OperationEvent, Partial<Row["is"]>]>({
      "a lost answer is not recorded after that": [
        lost,
        byReading,
        { end: [remembered], kept: [fresh, "created, 1, unclear before"], events: [began, readBack] },
      ],
      "a lost answer is recorded: the person decided before it was known": [
        lost,
        notCreated,
        { end: [unknown], events: [began, "not-created", ended(0)] },
      ],
      "a refusal is not recorded: a person may still revise the decision": [
        refusal(403),
        notCreated,
        { end: [forbidden], events: [began, "not-created", began, refused(2)] },
      ],
      "nor is that nothing was sent": [
        unsent,
        notCreated,
        {
          kept: [fresh, "sendable, 1", "sendable, 2, unsent 1000 ms", "sendable, 2", "sendable, 3, unsent"],
          events: [began, "not-created", began, notSent(2), began, notSent(4)],
        },
      ],
      "an answer is recorded: the person was wrong": [
        created,
        notCreated,
        { end: declared, events: [began, "not-created", answered] },
      ],
    }),
  )("%s, where others append to the log meanwhile", (_, [given, event, is]) =>
    check({ creates: [[event, given], given, given], reads: [event === byReading ? found : missing], is }),
  );

  it.each(
    Object.entries<[Outcome, string[]]>({
      "refused, and cannot be recorded": [refusal(403), [`${notKnown}; the disk is full; not found`]],
      "unclear, and cannot be recorded: the answer says more": [
        located,
        [
          `uncertain: not known; the service answered with a redirect to /v1/status-pages/incidents/${other}, which is not followed; not found`,
        ],
      ],
    }),
  )("that is %s, has an unknown outcome", (_, [outcome, end]) =>
    check({ creates: [outcome], setup: { wrapJournal: failingFrom(2) }, is: { end, learned: "unknown" } }),
  );

  it("that reaches no connection is recorded as unsent", async () => {
    const { transport } = createService(() => unsent);
    const wrapJournal = (journal: Journal) => ({ ...journal, isShared: true });
    const delivery = openDelivery({ transport, wrapJournal, maxRetries: 0 });
    const { end, events } = await declare({ ...delivery, requests: [] });
    expect({ end, events }).toEqual({
      end: ["unavailable: 127.0.0.1:1 could not be reached: refused"],
      events: [
        "sending, withId true, deadline 60000, notify false, content",
        "unsent, attempt 0, reason 127.0.0.1:1 could not be reached: refused",
      ],
    });
  });
});
