// `startedAt` in a template: an alert that is delivered again after its incident is over declares nothing.
import { describe, expect, it } from "vitest";
import { createWorld, incident, type World } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const template = ({ startedAt = "alerts.*.at", more = "" } = {}) => ({
  "incident-templates/rule.yaml": `when: { status: firing }
dedupKey: k
startedAt: ${startedAt}
${more}variables: {}
---
name: Payments may fail
severity: MAJOR
services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]
incidentUpdates: [{ status: INVESTIGATING, description: We look into it. }]
`,
});

async function send(
  world: World,
  starts: readonly unknown[],
  { flags = "", state = "", status = "firing" } = {},
) {
  const stdin = JSON.stringify({ status, alerts: starts.map((at) => ({ at })) });
  const line = `${state} create --template rule --vars - --no-input -o json ${flags}`;
  const { exitCode, stderr, stdout } = await world.run(line, { stdin });
  const { how, id } = stdout.trim() === "" ? {} : JSON.parse(stdout);
  return { exitCode, how: how as string, id: id as string, stderr };
}

async function resolve(world: World, id: string) {
  const { exitCode } = await world.run(`update ${id} --status resolved --message Solved. --no-input`);
  expect(exitCode).toBe(0);
}

describe.each(lifeServices)("startedAt, at %s", (_name, open) => {
  const start = async (options = {}) => {
    const service = await open();
    const { env, transport } = service;
    return { service, world: createWorld({ transport, env, files: template(options) }) };
  };
  const startWithEnds = async () => {
    const started = await start({ more: "resolve: { when: { status: resolved } }\n" });
    const over = (starts: readonly string[]) => send(started.world, starts, { status: "resolved" });
    return { ...started, over };
  };
  const one = "2026-11-20T06:20:00Z";
  const two = "2026-11-20T07:20:00Z";

  it("is over after a person has resolved the incident, and so is each start time that it had", async () => {
    const { service, world } = await start();
    const { id } = await send(world, [one]);
    expect(await send(world, [one])).toMatchObject({ how: "open", id });
    expect(await send(world, [two])).toMatchObject({ how: "open", id });
    await resolve(world, id);
    for (const at of [one, two, one])
      expect(await send(world, [at])).toMatchObject({ exitCode: 0, how: "over", id });
    expect(service.incidents()).toHaveLength(1);
  });

  it("is over after the incident of a later alert as well, open or not", async () => {
    const { service, world } = await start();
    const first = await send(world, [one]);
    await resolve(world, first.id);
    const second = await send(world, [two]);
    expect(second).toMatchObject({ how: "declared" });
    expect(await send(world, [one])).toMatchObject({ how: "over", id: first.id });
    await resolve(world, second.id);
    expect(await send(world, [one])).toMatchObject({ how: "over", id: first.id });
    expect(await send(world, [two, one])).toMatchObject({ how: "over", id: second.id });
    expect(service.incidents()).toHaveLength(2);
  });

  it("is no name that the sender did not replace: it would be the start of every alert", async () => {
    const { world } = await start();
    const { id } = await send(world, ["{EVENT.TIME}"]);
    await resolve(world, id);
    expect(await send(world, ["{EVENT.TIME}"])).toMatchObject({ exitCode: 0, how: "declared" });
  });

  it("declares where one alert of several is new", async () => {
    const { world } = await start();
    const { id } = await send(world, [one]);
    await resolve(world, id);
    const next = await send(world, [one, two]);
    expect(next).toMatchObject({ how: "declared" });
    expect(next.id).not.toBe(id);
    expect(await send(world, [one, two])).toMatchObject({ how: "open", id: next.id });
  });

  it("ends no later incident by the end of an earlier one, late or again", async () => {
    const { over, service, world } = await startWithEnds();
    const first = await send(world, [one]);
    expect(await over([one])).toMatchObject({ how: "posted", id: first.id });
    const second = await send(world, [two]);
    expect(await over([one])).toMatchObject({ exitCode: 0, how: "over", id: first.id });
    expect(service.incidents()[1]?.incidentUpdates).toHaveLength(1);
    expect(await over([one, two])).toMatchObject({ how: "posted", id: second.id });
  });

  it("ends the open incident where another run noted its start time at the one that a person ended", async () => {
    const { over, service, world } = await startWithEnds();
    const first = await send(world, [one]);
    let atOnce: ReturnType<typeof send> | undefined;
    const transport: typeof service.transport = async (request, control) => {
      const outcome = await service.transport(request, control);
      if (atOnce !== undefined || !request.url.endsWith(first.id)) return outcome;
      await service.addUpdate(first.id, { status: "RESOLVED", description: "Solved." });
      atOnce = send(world, [two]);
      await atOnce;
      return outcome;
    };
    const late = { run: (line, more) => world.run(line, { ...more, transport }) } as World;
    expect(await send(late, [two])).toMatchObject({ how: "open", id: first.id });
    const second = await atOnce;
    expect(second).toMatchObject({ how: "declared" });
    expect(await send(world, [two])).toMatchObject({ how: "open", id: second?.id });
    expect(await over([two])).toMatchObject({ how: "posted", id: second?.id });
  });

  it("leaves a start time to its first incident, where a later alert names it as well", async () => {
    const { over, service, world } = await startWithEnds();
    const first = await send(world, [one]);
    expect(await over([one])).toMatchObject({ how: "posted", id: first.id });
    const second = await send(world, [one, two]);
    expect(second).toMatchObject({ how: "declared" });
    expect(await send(world, [one, two])).toMatchObject({ how: "open", id: second.id });
    expect(await over([one])).toMatchObject({ exitCode: 0, how: "over", id: first.id });
    expect(service.incidents()[1]?.incidentUpdates).toHaveLength(1);
    expect(await send(world, [two])).toMatchObject({ how: "open", id: second.id });
    expect(await over([one, two])).toMatchObject({ how: "posted", id: second.id });
  });

  it("declares the next incident for an alert that goes on after the end of another one of its key", async () => {
    const { over, service, world } = await startWithEnds();
    const first = await send(world, [one]);
    expect(await send(world, [two])).toMatchObject({ how: "open", id: first.id });
    expect(await over([one])).toMatchObject({ how: "posted", id: first.id });
    expect(await send(world, [one])).toMatchObject({ how: "over", id: first.id });
    const second = await send(world, [two]);
    expect(second).toMatchObject({ how: "declared" });
    expect(await send(world, [two])).toMatchObject({ how: "open", id: second.id });
    expect(await over([two])).toMatchObject({ how: "posted", id: second.id });
    for (const at of [one, two]) expect(await send(world, [at])).toMatchObject({ how: "over" });
    expect(service.incidents()).toHaveLength(2);
  });

  it("is not noted as ended by a dry run", async () => {
    const { world } = await start({ more: "resolve: { when: { status: resolved } }\n" });
    const { id } = await send(world, [one]);
    const noted = async () => (await world.run(`journal show ${id} -o json`)).stdout;
    const before = await noted();
    const tried = await send(world, [one], { status: "resolved", flags: "--dry-run" });
    expect(tried.exitCode).toBe(0);
    expect(await noted()).toBe(before);
  });

  it("is over after the ends of all alerts of the key, also of one whose end came after that of the incident", async () => {
    const { over, service, world } = await startWithEnds();
    const { id } = await send(world, [one]);
    await send(world, [two]);
    expect(await over([one])).toMatchObject({ how: "posted", id });
    expect(await over([two])).toMatchObject({ exitCode: 0, how: "not-applicable" });
    for (const at of [two, one, two]) expect(await send(world, [at])).toMatchObject({ how: "over", id });
    expect(service.incidents()).toHaveLength(1);
  });

  it("is over for a group of one body, also where its end names some of it", async () => {
    const more = "resolve: { when: { status: resolved } }\n";
    const { service, world } = await start({ more });
    const { id } = await send(world, [one]);
    expect(await send(world, [one, two])).toMatchObject({ how: "open", id });
    expect(await send(world, [two], { status: "resolved" })).toMatchObject({ how: "posted", id });
    for (const starts of [[one], [two], [one, two]])
      expect(await send(world, starts)).toMatchObject({ how: "over", id });
    expect(service.incidents()).toHaveLength(1);
  });

  it("ends no later incident by an end that was delivered again, with a time of its own", async () => {
    const { over, service, world } = await startWithEnds();
    const first = await send(world, [one]);
    expect(await over(["the end of one"])).toMatchObject({ how: "posted", id: first.id });
    const second = await send(world, [two]);
    expect(await over(["the end of one"])).toMatchObject({ exitCode: 0, how: "over", id: first.id });
    expect(service.incidents()[1]?.incidentUpdates).toHaveLength(1);
    expect(await over(["the end of two"])).toMatchObject({ how: "posted", id: second.id });
  });
});

const create = (files = template()) => createWorld({ files, sandbox: { onlySpec: false } });

/** Its incident of these start times is over. */
async function createResolved(starts: readonly unknown[]) {
  const world = create();
  const { id } = await send(world, starts);
  await resolve(world, id);
  return { id, world };
}

it("compares the text of the body: no date, and no clock", async () => {
  const { id, world } = await createResolved(["no date", 1795155660]);
  world.clock.advance(400 * 24 * 3_600_000);
  expect(await send(world, ["no date"])).toMatchObject({ how: "over", id });
  expect(await send(world, [1795155660])).toMatchObject({ how: "over", id });
  expect(await send(world, ["1795155660.0"])).toMatchObject({ how: "declared" });
});

it("prints the id for -o id", async () => {
  const { id, world } = await createResolved(["a"]);
  const stdin = JSON.stringify({ status: "firing", alerts: [{ at: "a" }] });
  const line = "create --template rule --vars - --no-input -o id";
  const { exitCode, stderr, stdout } = await world.run(line, { stdin });
  expect({ exitCode, stderr, stdout }).toEqual({
    exitCode: 0,
    stderr: `already over ${id}  Payments may fail: it had this start time of the alert\n`,
    stdout: `${id}\n`,
  });
});

it("ends an incident by an end without a start time, as one without startedAt", async () => {
  const world = create(template({ more: "resolve: { when: { status: resolved } }\n" }));
  const { id } = await send(world, ["a"]);
  const over = await send(world, [], { status: "resolved" });
  expect(over).toMatchObject({ exitCode: 0, how: "posted", id, stderr: "" });
  expect((await world.run(`journal show ${id} -o json`)).stdout).not.toContain('"fired"');
});

it("warns of no open incident where the end of an earlier one is late", async () => {
  const { world } = await createResolved(["a"]);
  await send(world, ["b"]);
  const late = await send(world, ["a"], { status: "resolved" });
  expect(late).toMatchObject({ exitCode: 0, how: "not-applicable" });
  expect(late.stderr).not.toContain("is open");
});

it("declares without an entry in the journal, and with another dedup key", async () => {
  const { world } = await createResolved(["a"]);
  expect(await send(world, ["a"], { flags: "--dedup-key other" })).toMatchObject({ how: "declared" });
  expect(await send(world, ["a"], { state: "INCIDENT_CLI_STATE_DIR=another" })).toMatchObject({
    how: "declared",
  });
});

it("is told by the journal", async () => {
  const world = create();
  const { id } = await send(world, ["a"]);
  await send(world, ["b", "c"]);
  const { stdout } = await world.run(`journal show ${id}`);
  expect(stdout).toContain("the alert with the start time b, c");
});

it.each([
  ["no such name", {}],
  ["an empty list", { alerts: [] }],
  ["an empty text", { alerts: [{ at: "" }] }],
  ["no text", { alerts: [{ at: null }] }],
  ["a blank text", { alerts: [{ at: " " }] }],
  ["zero", { alerts: [{ at: 0 }] }],
  ["the first moment of the first year", { alerts: [{ at: "0001-01-01T00:00:00Z" }] }],
])("warns of a body without it, which declares as before: %s", async (_, body) => {
  const world = create();
  const line = "create --template rule --vars - --no-input -o json";
  const { exitCode, stderr, stdout } = await world.run(line, {
    stdin: JSON.stringify({ status: "firing", ...body }),
  });
  expect({ exitCode, how: JSON.parse(stdout).how }).toEqual({ exitCode: 0, how: "declared" });
  expect(stderr).toContain(
    "the input has no alerts.*.at, which startedAt of the template names: where this alert is delivered again after its incident, it declares another",
  );
});

it("takes the start time of a body with hundreds of alerts, and of endless texts", async () => {
  const world = create();
  const starts = Array.from({ length: 300 }, (_, index) => `${index} ${"x".repeat(250)}`);
  const { id } = await send(world, starts);
  await resolve(world, id);
  expect(await send(world, starts)).toMatchObject({ how: "over", id });
});

it.each(["a b", "alerts.*.startsAt x"])("is checked as a name: %s", async (startedAt) => {
  const wrong = await incident("validate incident-templates", { files: template({ startedAt }) });
  expect(wrong.exitCode).toBe(3);
  expect(wrong.stdout + wrong.stderr).toContain(`"${startedAt}" cannot be the name of a variable`);
});

describe("a new alert while the outcome of the RESOLVED of the one before is unknown", () => {
  const files = template({ more: "resolve: { when: { status: resolved } }\n" });
  const flags = "--settle-for 5s";
  const start = async (faults: readonly string[]) => {
    const world = createWorld({ files, faults, sandbox: { onlySpec: false } });
    const { id } = await send(world, ["a"]);
    expect(await send(world, ["a"], { status: "resolved", flags })).toMatchObject({ exitCode: 8 });
    return { id, world };
  };

  it("is not known to be declared until the update is there, and is another incident then", async () => {
    const { id, world } = await start(["update#1:slow-commit=60s"]);
    for (const start of ["a", "b"]) {
      const unknown = await send(world, [start], { flags });
      expect(unknown).toMatchObject({ exitCode: 8, how: undefined });
      expect(unknown.stderr).toMatch(/the update RESOLVED of .*incident journal settle \S+ --not-created/);
    }
    world.clock.advance(60_000);
    const next = await send(world, ["b"], { flags });
    expect(next).toMatchObject({ exitCode: 0, how: "declared" });
    expect(next.id).not.toBe(id);
    expect(await send(world, ["b"], { flags })).toMatchObject({ exitCode: 0, how: "open", id: next.id });
  });

  it("stops the next one until the service shows the end", async () => {
    const { id, world } = await start(["update#1:slow-commit=8s"]);
    expect(await send(world, ["b"], { flags })).toMatchObject({ exitCode: 8 });
    world.clock.advance(8_000);
    const next = await send(world, ["b"], { flags });
    expect(next).toMatchObject({ exitCode: 0, how: "declared" });
    expect(next.id).not.toBe(id);
  });

  it("is of the open incident once the update is settled as not created", async () => {
    const { id, world } = await start(["update#1:drop-before-commit"]);
    const { stderr } = await send(world, ["b"], { flags });
    const [, key] = /incident journal settle (\S+) --not-created/.exec(stderr) ?? [];
    expect((await world.run(`journal settle ${key} --not-created --yes`)).exitCode).toBe(0);
    expect(await send(world, ["b"], { flags })).toMatchObject({ exitCode: 0, how: "open", id });
  });
});
