// `incident journal settle` without a decision looks for the incident once more, and sends nothing in any case.
import { describe, expect, it } from "vitest";
import { canDecide, type Decision, lookAgain, recordDecision } from "../../src/delivery/settle-by-person.ts";
import type { Outcome } from "../../src/http/transport.ts";
import type { OperationEvent } from "../../src/journal/events.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";
import { refusing } from "../harness/watched-files.ts";
import { logOf } from "./all-logs.ts";
import { at, key, openScripted, requestOf, short } from "./in-memory/deliveries.ts";
import { answer, createService, incidentOf, lost, refusal } from "./services-by-hand.ts";

const files = { "x.yaml": definitionYaml({ id }) };
const flags = "--settle-for 1s";
const settle = `journal settle ${id} ${flags}`;

async function afterLostAnswer(): Promise<World> {
  const world = createWorld({ files });
  const { transport } = createService(() => lost);
  const { exitCode } = await world.run(`create -f x.yaml ${flags}`, { transport });
  expect(exitCode).toBe(8);
  return world;
}

describe("a person who says that a create did not happen", () => {
  const line = `${settle} --not-created --yes -o json`;

  it.each<[string, Outcome, string, RegExp]>([
    ["is corrected by an incident that is there", answer(200, incidentOf()), "created", /settled as created/],
    ["is believed where it is not there", refusal(404), "not-created", /^$/],
    ["is believed, unread", lost, "not-created", /^{"warning":"it could not be checked .* did not answer/],
    ["is believed at a 401", refusal(401), "not-created", /^{"warning":"it could not be checked .*\b401\b/],
    [
      "is believed where another incident has the id",
      answer(200, incidentOf({ name: "Refunds fail", severity: "MINOR" })),
      "not-created",
      /^{"warning":"it could not be checked .* exists and differs/,
    ],
  ])("%s", async (_, read, is, said) => {
    const world = await afterLostAnswer();
    const { requests, sent, transport } = createService(lost, read);
    const { exitCode, stderr, stdout } = await world.run(line, { transport });
    expect([exitCode, sent.length, JSON.parse(stdout).state]).toEqual([0, 0, is]);
    expect(requests.length).toBeGreaterThan(0);
    expect(stderr).toMatch(said);
  });

  it("is not believed where it is there, and the journal cannot record that", async () => {
    const world = await afterLostAnswer();
    let writes = 0;
    const wrapFiles = refusing("ENOSPC", (name) => name === "writeSync" && ++writes === 1);
    const { transport } = createService(lost, answer(200, incidentOf()));
    const { exitCode, stderr } = await world.run(line, { transport, wrapFiles });
    expect([exitCode, writes > 0]).toEqual([8, true]);
    expect(stderr).toContain(`incident ${id} is declared, but the journal has no record of it`);
    expect((await world.run(`journal show ${id} -o json`)).stdout).toContain('"state": "uncertain"');
  });

  it("is believed where the settings name no service", async () => {
    const world = await afterLostAnswer();
    const { exitCode, stderr, stdout } = await world.run(line, { env: { INCIDENT_CLI_BASE_URL: undefined } });
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, state: "not-created" });
    expect(stderr).toMatch(/^{"warning":"it could not be checked /);
  });
});

describe("a decision about a create whose outcome is known", () => {
  const other = "5B0F6C1E-8D0F-4F0A-9D57-0F6A2C1B7E01";
  const created = (serviceId: string) => ({ type: "created", by: "person", serviceId }) as const;
  const declined = { type: "not-created" } as const;

  it.each<[string, Decision, boolean]>([
    ["sending with id, created", declined, true],
    ["sending with id, created", created(other), false],
    ["sending with id, refused", declined, false],
    ["sending with id, refused", created(id), false],
    ["sending with id, settled as created", created(id.toUpperCase()), false],
    ["sending with id, settled as created", created(other), true],
    ["sending with id, uncertain, not-created", declined, false],
    ["sending with id, uncertain, not-created", created(id), true],
  ])("%s, then %j: changes the log: %s", (names, decision, isChange) => {
    expect(canDecide(logOf(names), decision)).toBe(isChange);
  });

  it("changes nothing with the same id in lower case", () => {
    const log = logOf("sending with id, settled as created");
    const capitals = { ...log, created: { at, serviceId: id.toUpperCase() } };
    expect(canDecide(capitals, created(id))).toBe(false);
  });
});

describe("in memory, a create whose outcome is not known", () => {
  const { content } = requestOf();
  const { body: _, ...nameless } = content;
  const sending = { type: "sending", at, withId: true, deadline: 3000, content } as const;
  const elsewhere = { ...sending, content: { ...nameless, name: content.body.name } } as const;
  const found = answer(200, incidentOf());
  const missing = refusal(404);
  const notCreated = { type: "not-created", at } as const;

  type Act = (delivery: ReturnType<typeof openScripted>) => Promise<unknown>;
  const look: Act = async ({ options }) => lookAgain(options, await options.journal.read(key));
  const decide =
    (decision: Decision): Act =>
    async ({ options }) =>
      recordDecision(options, await options.journal.read(key), decision);
  const decideByLook: Act = async ({ options }) =>
    recordDecision(options, await options.journal.read(key), { type: "not-created" }, async () => options);
  /** With a log that another process continues. */
  const decideLate: Act = async ({ append, options }) => {
    const log = await options.journal.read(key);
    await append(notCreated);
    return recordDecision(options, log, { type: "created", by: "person", serviceId: id });
  };
  const notKnown = (why: string) => expect.stringMatching(`^uncertain: not known.*${why}`);

  interface Row {
    /** The log; an attempt whose outcome is not known by default. */
    readonly earlier?: readonly OperationEvent[];
    readonly act: Act;
    readonly creates?: Parameters<typeof openScripted>[0];
    readonly reads?: Parameters<typeof openScripted>[1];
    readonly signal?: AbortSignal;
    readonly is: {
      readonly end?: unknown;
      readonly events: readonly string[];
      readonly requests?: readonly string[];
      readonly duration?: number;
      readonly asked?: readonly string[];
    };
  }
  const byReading = ["sending", "created by reading"];
  const requests = ["read ID at 0"];
  const there = { earlier: [elsewhere], act: look };

  it.each(
    Object.entries<Row>({
      "is found": { act: look, reads: [found], is: { events: byReading, requests } },
      "is found by its name alone": { ...there, reads: [found], is: { events: byReading, requests } },
      "is found by its name in another notation": {
        ...there,
        reads: [answer(200, incidentOf({ name: "Checkout&nbsp;fails " }))],
        is: { events: byReading, requests },
      },
      "is another one with another name": {
        ...there,
        reads: [answer(200, incidentOf({ name: "Refunds fail" }))],
        is: {
          end: 'rejected: incident ID exists and differs: name is "Refunds fail", not "Checkout fails"',
          events: ["sending"],
        },
      },
      "is found without a name": { ...there, reads: [answer(200, { id })], is: { events: byReading } },
      "is not found, and nobody is asked whether to send it again": {
        act: look,
        is: { end: notKnown("not found"), events: ["sending"], asked: [] },
      },
      "is not found, and nothing is sent where a person settles it meanwhile": {
        act: look,
        reads: [[notCreated, missing], missing],
        is: {
          end: notKnown("not found"),
          events: ["sending", "not-created"],
          requests: [...requests, "read ID at 250"],
        },
      },
      "stays so where it is not found": { ...there, is: { end: notKnown("not found"), events: ["sending"] } },
      "stays so where it was sent without an id, and nothing is read": {
        earlier: [{ ...elsewhere, withId: false }],
        act: look,
        reads: [found],
        is: { end: notKnown("cannot be looked for"), events: ["sending"], requests: [] },
      },
      "is declared by a person, without a wait for its sender": {
        act: decide({ type: "created", by: "person", serviceId: id }),
        is: { events: ["sending", "created by person"], duration: 0 },
      },
      "did not happen by the word of a person, after a wait for its sender": {
        act: decide({ type: "not-created" }),
        is: { events: ["sending", "not-created"], duration: 3000 },
      },
      "is not decided where a person interrupts the wait for its sender": {
        act: decide({ type: "not-created" }),
        signal: AbortSignal.abort("SIGINT"),
        is: {
          end: "interrupted: cancelled by Ctrl-C",
          events: ["sending"],
          requests: [],
        },
      },
      "did not happen by the word of a person, after a look once the sender can no longer send": {
        act: decideByLook,
        is: {
          events: ["sending", "not-created"],
          duration: 4000,
          requests: [3000, 3250, 3750, 4000].map((ms) => `read ID at ${ms}`),
        },
      },
      "is found where a person says that it did not happen": {
        act: decideByLook,
        reads: [found],
        is: { events: byReading, duration: 3000, requests: ["read ID at 3000"] },
      },
      "is not decided where another process continues it": {
        act: decideLate,
        is: {
          end: "uncertain: another process continued the create of ID at the same time",
          events: ["sending", "not-created"],
        },
      },
    }),
  )("%s", async (_, { earlier = [sending], act, creates = [], reads = [missing], is, ...row }) => {
    const asked: string[] = [];
    const beforeSend = async () => void asked.push("beforeSend");
    const delivery = openScripted(creates, reads, { beforeSend, ...row });
    for (const event of earlier) await delivery.append(event);
    const end = await act(delivery).then(
      () => "done",
      (error: { readonly kind: string; readonly message: string }) => `${error.kind}: ${error.message}`,
    );
    const log = await delivery.options.journal.read(key);
    const run = {
      end: short([end])[0],
      events: log.events.map((event) => ("by" in event ? `${event.type} by ${event.by}` : event.type)),
      requests: short(delivery.requests),
      duration: delivery.clock.monotonic(),
      asked,
    };
    const expected = { end: "done", ...is };
    expect(Object.fromEntries(Object.entries(run).filter(([name]) => name in expected))).toEqual(expected);
  });
});
