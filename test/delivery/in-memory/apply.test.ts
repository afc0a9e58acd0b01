// The plan of an apply, and what it declares, in memory: which incidents are read, and in which order creates are sent.
import { describe, expect, it } from "vitest";
import {
  applyPlan,
  isFinal,
  type PlannedDefinition,
  type PlanOptions,
  planDefinitions,
} from "../../../src/delivery/apply.ts";
import { inParallel } from "../../../src/delivery/parallel.ts";
import { Failure } from "../../../src/failure.ts";
import type { Definition } from "../../../src/incident/definition.ts";
import type { OperationEvent, ServiceKey } from "../../../src/journal/events.ts";
import { emptyLog } from "../../../src/journal/fold.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { lineOf } from "../../../src/journal/snapshot.ts";
import { definition, incidentId, numberedId } from "../../harness/builders.ts";
import { answer, createService, incidentOf, refusal } from "../services-by-hand.ts";
import {
  at,
  failingFrom,
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

function applying(delivery: ReturnType<typeof openDelivery>, more: Partial<PlanOptions> = {}) {
  const options: PlanOptions = {
    ...delivery.options,
    stop: new AbortController().signal,
    operations: async () => ({}),
    reopens: false,
    overwrites: false,
    recreate: false,
    ...more,
  };
  return options;
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
  const unchanged = { action: "unchanged", ...shown, differences: [], isHeldBack: false };
  const ignored = { learned: ["ignored", "ignored"] } as const;
  const later = (description: string) =>
    ({ status: "MONITORING", description, notifySubscribers: false }) as const;
  const [first = later("")] = definition().incidentUpdates;
  const shortenedOf = (incidentId: string) => {
    const change = { kind: "update", incidentId, status: "MONITORING", notify: false } as const;
    const content = { change, digest: "d" };
    return { type: "created", at, by: "answer", serviceId: otherId, content } as const;
  };
  const withPast = (incidentId: string) => {
    const pastById = lineOf([otherId, { first: 2, began: 0, events: [shortenedOf(incidentId)] }]);
    const wrapJournal = (journal: Journal) => ({
      ...journal,
      model: async (service: ServiceKey) => ({ ...(await journal.model(service)), pastById }),
    });
    return { wrapJournal };
  };

  it.each(
    Object.entries<Row>({
      "is to change nothing that is as it is wanted, whatever the case of its id": {
        reads: [found()],
        wants: { id: incidentId.toUpperCase() },
        is: { ...unchanged, requests: [read] },
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
      "reads an id that may be the service's": { setup: ignored, is: { action: "create", requests: [read] } },
      "is to settle what is not known": { earlier: [sending], is: { action: "unsettled", requests: [] } },
      "declares nothing that may be a create whose outcome is not known": {
        elsewhere: [sending],
        is: { action: "failed", failure: expect.stringContaining("it has the same content"), requests: [] },
      },
      "fails for that reason alone where the content is the same": {
        elsewhere: [{ ...sending, content: requestOf({ severity: "MINOR" }).content }],
        is: { action: "create", requests: [read] },
      },
      "takes for gone what was declared minutes ago": {
        earlier: [{ ...byReading, at: "2026-11-20T06:25:00.000Z" }],
        is: { action: "gone", gone: expect.anything(), requests: [read, read] },
      },
      "looks at nothing else where it was declared": {
        reads: [found()],
        earlier: [byReading],
        elsewhere: [sending],
        is: { ...unchanged, requests: [read] },
      },
      "skips an update of a person whose id is that of one that was posted to another incident": {
        reads: [found({ incidentUpdates: [first, { ...later("By a person."), id: otherId }] })],
        earlier: [byReading],
        setup: withPast(otherId),
        is: { ...unchanged, requests: [read] },
      },
      "posts no corrected text where the service altered the old one, and a snapshot shortened its post": {
        reads: [found({ incidentUpdates: [first, { ...later("It’s fixed."), id: otherId }] })],
        earlier: [byReading],
        setup: withPast(incidentId),
        wants: { incidentUpdates: [first, later("It's fixed since noon.")] },
        is: {
          action: "drifted",
          ...shown,
          differences: [
            {
              field: "incidentUpdates[1].description",
              found: "It’s fixed.",
              wanted: "It's fixed since noon.",
            },
          ],
          drift: expect.objectContaining({ kind: "drift" }),
          isHeldBack: false,
          requests: [read],
        },
      },
      "is not made after a stop": { more: { stop: stopped }, is: { action: "not-read", requests: [] } },
    }),
  )("%s", async (_, { earlier = [], elsewhere = [], is, more, reads, setup, wants }) => {
    const delivery = openScripted([], reads, setup);
    for (const event of earlier) await delivery.append(event);
    for (const event of elsewhere) await delivery.append(event, { ...key, id: otherId });
    delivery.clock.advance(5000);
    const options = applying(delivery, more);
    const wanted = definition({ id: incidentId, ...wants });
    const [{ failure, log, ...planned } = {} as PlannedDefinition] = await planDefinitions(options, [wanted]);
    expect({
      ...planned,
      key: log.key,
      ...(failure && { failure: failure.message }),
      requests: delivery.requests.map((request) => short([request.replace("at 5000", "at 0")])[0]),
      told: short(delivery.told),
    }).toEqual({ definition: wanted, key, told: [], ...is });
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

/** A service that keeps what it is sent. */
function openService(setup: Parameters<typeof openScripted>[2] = {}) {
  const { requests, transport } = createService(
    (body) => answer(201, incidentOf(body)),
    () => refusal(404),
  );
  return { ...openDelivery({ transport, ...setup }), requests };
}

const linesOf = (results: Awaited<ReturnType<typeof applyPlan>>) =>
  results.map(({ failure, result, serviceId }) =>
    [result, serviceId, failure?.message].filter((part) => part !== undefined).join(" "),
  );
describe("the creates of a plan", () => {
  const id = numberedId(1);
  const plan = (service: ReturnType<typeof openService>) =>
    planDefinitions(applying(service), [definition({ id })]);

  it.each([
    [5000, 1],
    [10_001, 2],
  ])("are looked for again where the run is older than 10 s: %s ms", async (age, reads) => {
    const service = openService();
    service.clock.advance(3000);
    const planned = await plan(service);
    service.clock.advance(age);
    await applyPlan(applying(service), planned);
    expect(service.requests.filter(({ method }) => method === "GET")).toHaveLength(reads);
  });

  it("that are declared and cannot be recorded are uncertain, with the service's id", async () => {
    const service = openService({ wrapJournal: failingFrom(2) });
    const planned = await plan(service);
    expect(linesOf(await applyPlan(applying(service), planned))).toEqual([
      `uncertain ${id} incident ${id} is declared, but the journal has no record of it: the disk is full`,
    ]);
  });

  it.each([
    [true, "not-tried"],
    [false, "gone"],
  ])("that are gone, and to be declared anew (%s), are %s where it is stopped", async (recreate, result) => {
    const options = applying(openService(), { recreate, stop: stopped });
    const gone: PlannedDefinition = {
      definition: definition(),
      log: emptyLog(key),
      action: "gone",
    };
    expect(linesOf(await applyPlan(options, [gone]))).toEqual([result]);
  });
});

describe("work in parallel", () => {
  async function work(failing: readonly number[]) {
    const said: string[] = [];
    const [begun, ended]: [number[], number[]] = [[], []];
    let most = 0;
    const withSpinner = async <T>(say: () => string, wait: () => Promise<T>) => {
      said.push(say());
      return wait().finally(() => said.push(say()));
    };
    const options = { stop: new AbortController().signal, reporter: { withSpinner } };
    const end = await inParallel([...Array(18).keys()], options, async (index) => {
      begun.push(index);
      most = Math.max(most, begun.length - ended.length);
      await new Promise(setImmediate);
      ended.push(index);
      if (failing.includes(index)) throw new Error(`fails ${index}`);
    }).then(
      () => "done",
      (error: Error) => error.message,
    );
    return { begun: begun.length, ended: ended.length, most, said, end };
  }

  it.each<[number[], number, string]>([
    [[], 18, "done"],
    [[0], 16, "fails 0"],
    [[1], 17, "fails 1"],
    [[0, 1], 16, "fails 0"],
  ])("ends after what has begun, and begins nothing after an error: %j", async (failing, begun, end) => {
    const said = ["0 of 18", `${begun} of 18`];
    expect(await work(failing)).toEqual({ begun, ended: begun, most: 16, said, end });
  });
});
