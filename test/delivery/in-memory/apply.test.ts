// The plan of an apply, and what it declares, in memory: which incidents are read, and in which order creates are sent.
import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../src/delivery/apply.ts";
import { inParallel } from "../../../src/delivery/parallel.ts";
import {
  isFinal,
  type PlannedDefinition,
  type PlanOptions,
  planDefinitions,
} from "../../../src/delivery/plan.ts";
import { Failure } from "../../../src/failure.ts";
import type { Outcome } from "../../../src/http/transport.ts";
import type { Definition } from "../../../src/incident/definition.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { definition, incidentId, numberedId } from "../../harness/builders.ts";
import { answer, createService, incidentOf, lost, refusal } from "../services-by-hand.ts";
import {
  account,
  at,
  type Happening,
  key,
  openDelivery,
  openScripted,
  requestOf,
  short,
} from "./deliveries.ts";

const otherId = numberedId(7);
const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 3000, content } as const;
const byReading = { type: "created", at, by: "reading", serviceId: incidentId, content } as const;
const found = (fields: Readonly<Record<string, unknown>> = {}) => answer(200, incidentOf(fields));
const missing = refusal(404);

function applying(delivery: ReturnType<typeof openDelivery>, more: Partial<PlanOptions> = {}) {
  const progress: (readonly number[])[] = [];
  const options: PlanOptions = {
    ...delivery.options,
    stop: new AbortController().signal,
    concurrency: 2,
    progress: (...counts) => void progress.push(counts),
    operations: async () => ({ isKnown: true, operations: {} }),
    reopens: false,
    overwrites: false,
    recreate: false,
    ...more,
  };
  return { options, progress };
}

const stopped = AbortSignal.abort();

describe("the plan", () => {
  interface Row {
    readonly reads?: readonly Happening[];
    readonly earlier?: readonly OperationEvent[];
    /** Of another operation. */
    readonly elsewhere?: readonly OperationEvent[];
    readonly setup?: Parameters<typeof openScripted>[2];
    readonly more?: Partial<PlanOptions>;
    readonly wants?: Partial<Definition>;
    readonly is: Readonly<Record<string, unknown>>;
  }
  const read = "read ID at 0";
  const shown = { serviceId: incidentId };
  const ignored = { learned: ["ignored", "ignored"] } as const;
  const linked = { ...byReading, serviceId: otherId };

  it.each(
    Object.entries<Row>({
      "is to create what is missing": { is: { action: "create", requests: [read] } },
      "is to create what is missing, also where it is to declare anew what is gone": {
        more: { recreate: true },
        is: { action: "create", requests: [read] },
      },
      "is to change nothing that is as it is wanted, whatever the case of its id": {
        reads: [found()],
        wants: { id: incidentId.toUpperCase() },
        is: { action: "unchanged", ...shown, differences: [], requests: [read] },
      },
      "tells what has changed": {
        reads: [found({ severity: "MINOR" })],
        is: {
          action: "drifted",
          ...shown,
          differences: [{ field: "severity", wanted: "MAJOR", found: "MINOR" }],
          requests: [read],
        },
      },
      "asks twice for what was declared, and takes one that is not shown yet neither for gone nor for unchanged":
        {
          earlier: [byReading],
          is: {
            action: "failed",
            failure: expect.stringContaining(`does not show ${incidentId}, which was declared from here at`),
            requests: [read, read],
          },
        },
      "takes it for gone where it is to be declared anew": {
        earlier: [byReading],
        more: { recreate: true },
        is: { action: "gone", requests: [read, read] },
      },
      "reads what was declared under the service's own id": {
        reads: [found({ id: otherId })],
        earlier: [linked],
        setup: ignored,
        is: {
          action: "unchanged",
          ...shown,
          serviceId: otherId,
          differences: [],
          requests: [`read ${otherId} at 0`],
        },
      },
      "reads nothing that could not be found": { setup: ignored, is: { action: "create", requests: [] } },
      "is to settle what is not known": { earlier: [sending], is: { action: "unsettled", requests: [] } },
      "declares nothing that may be a create whose outcome is not known": {
        elsewhere: [sending],
        is: { action: "failed", failure: expect.stringContaining("it has the same content"), requests: [] },
      },
      "fails for that reason alone where the content is the same": {
        elsewhere: [{ ...sending, content: requestOf({ severity: "MINOR" }).content }],
        is: { action: "create", requests: [read] },
      },
      "edits what the file has changed since": {
        reads: [found()],
        earlier: [byReading],
        wants: { severity: "MINOR" },
        is: {
          action: "failed",
          ...shown,
          failure: expect.stringContaining("does not describe the edit of an incident"),
          differences: [{ field: "severity", wanted: "MINOR", found: "MAJOR" }],
          requests: [read],
        },
      },
      "takes for gone what was declared minutes ago": {
        earlier: [{ ...byReading, at: "2026-11-20T06:25:00.000Z" }],
        is: { action: "gone", requests: [read, read] },
      },
      "looks at nothing else where it was declared": {
        reads: [found()],
        earlier: [byReading],
        elsewhere: [sending],
        is: { action: "unchanged", ...shown, differences: [], requests: [read] },
      },
      "names what cannot be read": {
        reads: [refusal(503)],
        is: { action: "failed", failure: "the service failed (503: Refused)", requests: [read] },
      },
      "is not made where it is stopped": {
        more: { stop: stopped },
        is: { action: "not-read", progress: [], requests: [] },
      },
    }),
  )("%s", async (_, { earlier = [], elsewhere = [], is, more, reads, setup, wants }) => {
    const delivery = openScripted([], reads, setup);
    for (const event of earlier) await delivery.append(event);
    for (const event of elsewhere) await delivery.append(event, { ...key, id: otherId });
    delivery.clock.advance(5000);
    const { options, progress } = applying(delivery, more);
    const wanted = definition({ id: incidentId, ...wants });
    const [{ failure, log: _log, ...planned } = {} as PlannedDefinition] = await planDefinitions(options, [
      wanted,
    ]);
    expect({
      ...planned,
      ...(failure && { failure: failure.message }),
      requests: delivery.requests.map((request) => short([request.replace("at 5000", "at 0")])[0]),
      told: short(delivery.told),
      progress,
    }).toEqual({
      definition: wanted,
      key,
      readAt: more?.stop ? 0 : 5000,
      told: [],
      progress: [[1, 1]],
      ...is,
    });
  });

  it.each([
    ["credentials", false, true],
    ["usage", false, true],
    ["unavailable", true, true],
    ["unavailable", false, false],
    ["rejected", false, false],
  ] as const)("ends after a failure of the kind %s (unreachable: %s): %s", (kind, unreachable, expected) => {
    expect(isFinal(new Failure(kind, "", { hint: "", unreachable }))).toBe(expected);
  });
});

/** Definitions for three parts, and a service that keeps what it is sent, or ends some of its requests otherwise. */
const sixty = Array.from({ length: 60 }, (_, index) =>
  definition({ id: numberedId(index + 1), name: `Incident ${index + 1}` }),
);
function openService(
  end: (method: "create" | "read", number: number) => Outcome | undefined = () => undefined,
  setup: Parameters<typeof openScripted>[2] = {},
) {
  let reads = 0;
  let atWork = 0;
  let most = 0;
  const { requests, sent, transport } = createService(
    async (body, number) => {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise(setImmediate);
      atWork -= 1;
      return end("create", number) ?? answer(201, incidentOf(body));
    },
    () => {
      reads += 1;
      return end("read", reads) ?? missing;
    },
  );
  const delivery = openDelivery({ transport, ...setup });
  return { ...delivery, requests, sent, most: () => most };
}

/** A line for each definition. */
const linesOf = (results: Awaited<ReturnType<typeof applyPlan>>) =>
  results.map(({ failure, result, serviceId }) =>
    [result, serviceId, failure?.message].filter((part) => part !== undefined).join(" "),
  );
const created = (numbers: readonly number[]) => numbers.map((number) => `created ${numberedId(number)}`);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const rejected = "the service refused the request (422: Refused)";

describe("an apply", () => {
  async function apply(service: ReturnType<typeof openService>, more: Partial<PlanOptions> = {}) {
    const { options } = applying(service, { concurrency: 1, ...more });
    return linesOf(await applyPlan(options, await planDefinitions(options, sixty)));
  }
  const times = (count: number, text: string) => Array<string>(count).fill(text);

  it("goes on after a refusal", async () => {
    const service = openService((method, number) =>
      method === "create" && number <= 2 ? refusal(422) : undefined,
    );
    expect(await apply(service)).toEqual([`failed ${rejected}`, ...created(range(2, 60))]);
  });

  it("sends nothing where the key is refused in the plan", async () => {
    const service = openService((method, number) =>
      method === "read" && number > 16 ? refusal(401) : undefined,
    );
    await expect(apply(service)).rejects.toThrow("the key was refused (401: Refused)");
    expect(service.sent).toEqual([]);
  });

  it("asks for nothing where it is stopped", async () => {
    const service = openService();
    expect(await apply(service, { stop: stopped })).toEqual(times(60, "not-tried"));
    expect(service.requests).toEqual([]);
  });
});

describe("the creates of a plan", () => {
  const plan = (service: ReturnType<typeof openService>, count: number) =>
    planDefinitions(applying(service).options, sixty.slice(0, count));

  it("are sent several at a time", async () => {
    const service = openService();
    const { options, progress } = applying(service);
    const results = await applyPlan(options, await plan(service, 2));
    expect(linesOf(results)).toEqual(created([1, 2]));
    expect(service.most()).toBe(2);
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it("carry the account of the settings, and read the journal no more", async () => {
    let reads = 0;
    const counted = <Args extends unknown[], T>(work: (...args: Args) => T) => {
      return (...args: Args): T => {
        reads += 1;
        return work(...args);
      };
    };
    const wrapJournal = (journal: Journal): Journal => ({
      ...journal,
      model: counted(journal.model),
      read: counted(journal.read),
    });
    const service = openService(undefined, { wrapJournal });
    const planned = await plan(service, 1);
    reads = 0;
    await applyPlan(applying(service).options, planned);
    const [first] = sixty;
    const services = first?.services.map((each) => ({ ...each, accountId: account }));
    expect(service.sent).toEqual([expect.objectContaining({ id: numberedId(1), services })]);
    expect(reads).toBe(0);
  });

  it("end after one that ends all, although others are declared meanwhile", async () => {
    const service = openService(
      (method, number) => (method === "create" && number === 1 ? refusal(401) : undefined),
      { learned: ["honoured"] },
    );
    expect(linesOf(await applyPlan(applying(service).options, await plan(service, 4)))).toEqual([
      "failed the key was refused (401: Refused)",
      ...created([2]),
      "not-tried",
      "not-tried",
    ]);
  });

  it.each(
    Object.entries<
      [Happening, readonly OperationEvent[], Partial<PlanOptions>, string, readonly string[], number]
    >({
      "anew what is gone": [
        answer(201, incidentOf()),
        [byReading],
        { recreate: true },
        "created ID",
        ["created", "not-created", "sending", "created"],
        3,
      ],
      "nothing that is there": [missing, [byReading], { recreate: true }, "unchanged ID", ["created"], 1],
      "nothing that is found when it is settled": [
        missing,
        [sending],
        {},
        "unchanged ID",
        ["sending", "created"],
        1,
      ],
      "nothing again that is lost": [
        lost,
        [],
        {},
        "uncertain not known; 127.0.0.1:1 did not answer: reset; not found",
        ["sending", "uncertain"],
        6,
      ],
    }),
  )("declare %s", async (name, [create, earlier, more, line, events, requests]) => {
    const isThere = name.startsWith("nothing that is");
    const delivery = openScripted([create], [isThere ? found() : missing]);
    for (const event of earlier) await delivery.append(event);
    const { options } = applying(delivery, more);
    const wanted = [definition({ id: incidentId })];
    const results = await applyPlan(options, await planDefinitions(options, wanted));
    expect(short(linesOf(results))).toEqual([line]);
    expect((await delivery.options.journal.read(key)).events.map(({ type }) => type)).toEqual(events);
    expect(delivery.requests).toHaveLength(requests);
  });

  it.each([
    [10_000, 1],
    [10_001, 2],
  ])("are looked for again where the plan is older than 10 s: %s ms", async (age, reads) => {
    const service = openService();
    service.clock.advance(3000);
    const planned = await plan(service, 1);
    service.clock.advance(age);
    await applyPlan(applying(service).options, planned);
    expect(service.requests.filter(({ method }) => method === "GET")).toHaveLength(reads);
  });

  it("that are declared and cannot be recorded are uncertain, with the service's id", async () => {
    let appends = 0;
    const wrapJournal = (journal: Journal): Journal => ({
      ...journal,
      append: async (...args) => {
        appends += 1;
        if (appends === 2) throw new Failure("unavailable", "the disk is full", { hint: "make room" });
        return journal.append(...args);
      },
    });
    const service = openService(undefined, { wrapJournal });
    const planned = await plan(service, 1);
    expect(linesOf(await applyPlan(applying(service).options, planned))).toEqual([
      `uncertain ${numberedId(1)} incident ${numberedId(1)} is declared, but the journal has no record of it: the disk is full`,
    ]);
  });

  it.each([
    [true, "not-tried"],
    [false, "gone"],
  ])("that are gone, and to be declared anew (%s), are %s where it is stopped", async (recreate, result) => {
    const { options } = applying(openService(), { recreate, stop: stopped });
    const gone: PlannedDefinition = { definition: definition(), key, action: "gone", readAt: 0 };
    expect(linesOf(await applyPlan(options, [gone]))).toEqual([result]);
  });

  it("are not sent after a failure of the plan that ends all", async () => {
    const service = openService();
    const failure = new Failure("credentials", "the key was refused", { hint: "log in" });
    const failed: PlannedDefinition = { definition: definition(), key, action: "failed", readAt: 0, failure };
    const planned = [failed, ...(await plan(service, 1))];
    expect(linesOf(await applyPlan(applying(service).options, planned))).toEqual([
      "failed the key was refused",
      "not-tried",
    ]);
  });
});

describe("work in parallel", () => {
  /** Work that lasts longer the earlier it begins, and fails where it is told to. */
  async function work(failing: readonly number[]) {
    const log: string[] = [];
    const ended = inParallel(
      { concurrency: 2, count: 4, stop: new AbortController().signal },
      async (index) => {
        log.push(`begin ${index}`);
        for (let turn = index; turn < 4; turn += 1) await new Promise(setImmediate);
        log.push(`end ${index}`);
        if (failing.includes(index)) throw new Error(`fails ${index}`);
      },
    );
    const end = await ended.then(
      () => "done",
      (error: Error) => error.message,
    );
    return [...log, end];
  }

  it.each([
    [[], ["begin 0", "begin 1", "end 1", "begin 2", "end 0", "begin 3", "end 3", "end 2", "done"]],
    [[1], ["begin 0", "begin 1", "end 1", "end 0", "fails 1"]],
    [
      [0, 1],
      ["begin 0", "begin 1", "end 1", "end 0", "fails 1"],
    ],
  ])("ends after what has begun, and begins nothing after an error: %j", async (failing, expected) => {
    expect(await work(failing)).toEqual(expected);
  });
});
