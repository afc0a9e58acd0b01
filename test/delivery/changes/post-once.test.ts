// One update of an incident, exactly once: each fault of the service at the request that adds it.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { updateKey } from "../../../src/delivery/changes/known-updates.ts";
import { postOnce } from "../../../src/delivery/changes/update-operation.ts";
import { lookAgain } from "../../../src/delivery/settle-by-person.ts";
import { deliverChanges } from "../../../src/delivery/timeline/changes.ts";
import { Failure } from "../../../src/failure.ts";
import type { Update } from "../../../src/incident/definition.ts";
import { type Incident, incidentFacts } from "../../../src/incident/wire.ts";
import { contentOf } from "../../../src/journal/content.ts";
import { withoutTexts } from "../../../src/journal/fold.ts";
import { definition, incidentId } from "../../harness/builders.ts";
import { failingFrom } from "../in-memory/deliveries.ts";
import { answer } from "../services-by-hand.ts";
import { first, openSandboxed } from "./sandboxed.ts";

const watching: Update = { status: "MONITORING", description: "We are watching it." };

async function postIn(world: Awaited<ReturnType<typeof openSandboxed>>, update = watching, occurrence = 0) {
  const { addUpdate, id, options } = world;
  const incident = await world.read();
  const key = updateKey(options.service, id, update, occurrence);
  const log = await options.journal.read(key);
  const request = { incident, update, log };
  const end = await postOnce(options, addUpdate, request).then(
    ({ how }) => how,
    (error: Error & { kind?: string }) => `${error.kind ?? error.name}: ${error.message}`,
  );
  return { end, key };
}

const posted = ["INVESTIGATING: We are looking into it.", "MONITORING: We are watching it."];

describe("an update", () => {
  it.each([
    ["update#1:drop-after-commit"],
    ["update#1:error-after-commit"],
    ["update#1:truncated"],
    ["update#1:html"],
    ["update#1:slow-commit=3s"],
  ])("is found after %s, and sent once", async (fault) => {
    const world = await openSandboxed({ faults: [fault], delivery: { settleFor: 10_000 } });
    const { end } = await postIn(world);
    expect(end).toBe("posted");
    expect(await world.shown()).toEqual(posted);
    expect(world.sent).toHaveLength(1);
  });

  it("that a later run finds is not sent again", async () => {
    const world = await openSandboxed({ faults: ["update#1:slow-commit=60s"] });
    expect((await postIn(world)).end).toMatch(/^uncertain/);
    world.clock.advance(60_000);
    expect((await postIn(world)).end).toBe("posted-before");
    expect((await postIn(world)).end).toBe("posted-before");
    expect(await world.shown()).toEqual(posted);
  });

  it("that a later run finds, and cannot record, says so", async () => {
    const world = await openSandboxed({ faults: ["update#1:slow-commit=60s"] });
    const { key } = await postIn(world);
    world.clock.advance(60_000);
    const journal = failingFrom(1)(world.options.journal);
    const request = { incident: await world.read(), update: watching, log: await journal.read(key) };
    const again = await postOnce({ ...world.options, journal }, world.addUpdate, request);
    expect(again).toMatchObject({ how: "posted-before", failure: { kind: "uncertain" } });
  });
});

it("an update whose definition names the id of another update is refused, and not taken for posted", async () => {
  const world = await openSandboxed();
  await postIn(world, { ...watching, id: incidentId });
  const other = { status: "IDENTIFIED", description: "We know the cause.", id: incidentId } as const;
  const { end, key } = await postIn(world, other);
  expect(end).toMatch(/^rejected: another update of .* has the id /);
  expect([world.sent.length, await world.events(key)]).toEqual([1, []]);
  expect((await postIn(world, { ...watching, id: incidentId })).end).toBe("posted-before");
});

it("an update that was refused after its commit is found by the id of its definition, in the words of the service", async () => {
  const shows = (incident: Incident) =>
    JSON.parse(JSON.stringify(incident).replace("watching", "looking at"));
  const world = await openSandboxed({ shows });
  const { addUpdate } = world.options.client;
  const client: typeof world.options.client = {
    ...world.options.client,
    addUpdate: async (...given) => {
      await addUpdate(...given);
      const failure = new Failure("rejected", "refused on its way", { hint: "" });
      return { kind: "failed", outcome: answer(422, "refused"), failure };
    },
  };
  const update = { ...watching, id: incidentId };
  expect((await postIn({ ...world, options: { ...world.options, client } }, update)).end).toMatch(
    /^rejected/,
  );
  expect((await postIn(world, update)).end).toBe("posted-before");
  expect(world.sent).toHaveLength(1);
});

it("an update that a person releases while the incident is resolved is not sent again", async () => {
  const world = await openSandboxed({ faults: ["update#1:drop-before-commit"] });
  const { end, key } = await postIn(world);
  expect(end).toMatch(/^uncertain/);
  const { client, journal } = world.options;
  let isOver = false;
  const findIncident: typeof client.findIncident = async (...given) => {
    if (!isOver) {
      isOver = true;
      await world.postElsewhere("It is over.", "RESOLVED");
      const decision = { type: "not-created", at: "2026-11-20T06:31:00.000Z" } as const;
      await journal.append(await journal.read(key), decision);
    }
    return client.findIncident(...given);
  };
  const again = await postIn({
    ...world,
    options: { ...world.options, client: { ...client, findIncident } },
  });
  expect(again.end).toMatch(/^rejected: .*is resolved/);
  expect(world.sent).toHaveLength(1);
});

it("the next update of a file is held back where a person ended the incident, and no read came after the one before", async () => {
  const world = await openSandboxed();
  const { addUpdate, clock, options } = world;
  const { client, journal, service } = options;
  let reads = 0;
  const findIncident: typeof client.findIncident = async (...given) => {
    reads += 1;
    if (reads > 1) return client.findIncident(...given);
    await world.postElsewhere("It is over.", "RESOLVED");
    clock.advance(20_000);
    throw new Failure("unavailable", "no answer", { hint: "" });
  };
  const updates = [watching, { ...watching, description: "We watch it on." }];
  const posts = await Promise.all(
    updates.map(async (update) => {
      return { update, log: await journal.read(updateKey(service, world.id, update, 0)) };
    }),
  );
  const log = await journal.read({ ...service, id: world.id });
  const content = contentOf(definition(), world.id, undefined);
  const changes = { incident: await world.read(), log, posts, addUpdate, content };
  const { failure, posted } = await deliverChanges(
    { ...options, client: { ...client, findIncident } },
    changes,
  );
  expect({ kind: failure?.kind, posted, sent: world.sent.length }).toEqual({
    kind: "rejected",
    posted: 1,
    sent: 1,
  });
});

describe("an equal update of another person", () => {
  it("beside ours, while the outcome of ours is not known, is exit 8", async () => {
    const world = await openSandboxed({ faults: ["update#1:slow-commit=60s"] });
    await postIn(world);
    await world.postElsewhere(watching.description, "MONITORING");
    world.clock.advance(60_000);
    expect((await postIn(world)).end).toMatch(/^uncertain.*2 new updates may be the update MONITORING of/s);
    expect(world.sent).toHaveLength(1);
  });

  it("that another operation of ours has posted is not taken for this one", async () => {
    const world = await openSandboxed({ faults: ["update#1:drop-before-commit"] });
    expect((await postIn(world)).end).toMatch(/^uncertain/);
    expect((await postIn(world, watching, 1)).end).toBe("posted");
    expect((await postIn(world)).end).toMatch(/^uncertain/);
  });

  it("that another operation of ours has posted keeps its id, also where the newest is listed first", async () => {
    const shows = (incident: Incident) => ({
      ...incident,
      incidentUpdates: (incident.incidentUpdates as object[]).toReversed(),
    });
    const world = await openSandboxed({ faults: ["update#1:slow-commit=60s"], shows });
    const own = await postIn(world);
    const other = await postIn(world, watching, 1);
    world.clock.advance(60_000);
    expect([own.end.slice(0, 9), other.end, (await postIn(world)).end]).toEqual([
      "uncertain",
      "posted",
      "posted-before",
    ]);
    const { journal } = world.options;
    const logs = [await journal.read(own.key), await journal.read(other.key)];
    expect(new Set(logs.map(({ created }) => created?.serviceId)).size).toBe(2);
  });

  it("does not disturb ours between two of other texts", async () => {
    const world = await openSandboxed({ faults: ["update#2:drop-after-commit"] });
    await world.postElsewhere("Another text.", "IDENTIFIED");
    expect((await postIn(world)).end).toBe("posted");
    await world.postElsewhere("Yet another text.", "MONITORING");
    expect((await postIn(world)).end).toBe("posted-before");
  });
});

describe("an update without a status, which the service gives one", () => {
  const plain: Update = { description: watching.description };
  const stated: Update = { ...plain, status: first.status };

  it("is found by its text", async () => {
    const world = await openSandboxed({ faults: ["update#1:drop-after-commit"] });
    expect((await postIn(world, plain)).end).toBe("posted");
    expect(world.sent).toHaveLength(1);
  });

  it.each([
    [plain, stated],
    [stated, plain],
  ])("is not taken for one with a status that has the text", async (lost, other) => {
    const world = await openSandboxed({ faults: ["update#1:drop-before-commit"] });
    expect((await postIn(world, lost)).end).toMatch(/^uncertain/);
    expect((await postIn(world, other)).end).toBe("posted");
    expect((await postIn(world, lost)).end).toMatch(/^uncertain/);
  });

  it("does not hide one with another status and the text whose answer was lost", async () => {
    const world = await openSandboxed({ faults: ["update#2:drop-after-commit"] });
    expect((await postIn(world, plain)).end).toBe("posted");
    expect((await postIn(world, { ...plain, status: "MONITORING" })).end).toBe("posted");
    expect(world.sent).toHaveLength(2);
  });
});

describe("an update that repeats a text, at a service that gives updates new ids with each read", () => {
  const shows = (incident: Incident): Incident => ({
    ...incident,
    incidentUpdates: incidentFacts(incident).updates.map((each) => ({ ...each, id: randomUUID() })),
  });
  const repeated: Update = { status: first.status, description: first.description };

  it("is not found in the older one where its request was lost", async () => {
    const world = await openSandboxed({ faults: ["update#1:drop-before-commit"], shows });
    expect((await postIn(world, repeated)).end).toMatch(/^uncertain/);
    expect((await postIn(world, repeated)).end).toMatch(/^uncertain/);
  });

  it("is found by the number of equal ones where its answer was lost", async () => {
    const world = await openSandboxed({ faults: ["update#1:drop-after-commit"], shows });
    expect((await postIn(world, repeated)).end).toBe("posted");
    expect(world.sent).toHaveLength(1);
    expect((await postIn(world, repeated, 1)).end).toBe("posted");
    expect(await world.shown()).toHaveLength(3);
  });

  it("leaves the one to another operation that this one has posted", async () => {
    const world = await openSandboxed({ faults: ["update#2:drop-before-commit"], shows });
    expect((await postIn(world, repeated)).end).toBe("posted");
    expect((await postIn(world, repeated, 1)).end).toMatch(/^uncertain/);
  });
});

it("an update whose text the journal does not keep is found by one more look", async () => {
  const world = await openSandboxed({ faults: ["update#1:slow-commit=60s"] });
  const { end, key } = await postIn(world);
  expect(end).toMatch(/^uncertain/);
  world.clock.advance(60_000);
  const log = await world.options.journal.read(key);
  await lookAgain(world.options, { ...log, change: log.change && withoutTexts(log.change) });
  expect((await world.events(key)).at(-1)).toBe("created");
});

describe("after a RESOLVED", () => {
  it("nothing is posted", async () => {
    const world = await openSandboxed();
    await world.postElsewhere("It is over.", "RESOLVED");
    expect((await postIn(world)).end).toMatch(/^rejected: "Checkout fails" .* is resolved/);
    expect(world.sent).toEqual([]);
  });

  it("an update whose outcome is not known is still looked for", async () => {
    const world = await openSandboxed({ faults: ["update#1:slow-commit=60s"] });
    await postIn(world);
    world.clock.advance(60_000);
    await world.postElsewhere("It is over.", "RESOLVED");
    expect((await postIn(world)).end).toBe("posted-before");
  });
});

it("an equal update in another notation is the same", async () => {
  const world = await openSandboxed();
  await postIn(world);
  const spaced = { ...watching, description: "  We are\nwatching it. " };
  expect((await postIn(world, spaced)).end).toBe("posted-before");
  expect((await postIn(world, { ...watching, ...first })).end).toBe("posted");
});
