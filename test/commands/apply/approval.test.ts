// An approval in two steps: what the preview showed is all that a later run may send.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const texts = { looking: "We are looking into it.", cause: "A disk is full.", over: "It is over." };
const updates = (...entries: readonly (readonly [string, string, boolean?])[]) =>
  `[${entries
    .map(
      ([status, description, notify = false]) =>
        `{ status: ${status}, description: "${description}", notifySubscribers: ${notify} }`,
    )
    .join(", ")}]`;
const incidentUpdates = updates(
  ["INVESTIGATING", texts.looking, true],
  ["IDENTIFIED", texts.cause],
  ["RESOLVED", texts.over],
);
const first = updates(["INVESTIGATING", texts.looking, true]);

const apply = "apply -R -f incidents --settle-for 1s";

async function openWorld(
  services: (typeof lifeServices)[number] = lifeServices[0],
  setup: Parameters<typeof createWorld>[0] = {},
) {
  const [, open] = services;
  const service = await open();
  const { env, transport } = service;
  const files = {
    "incidents/a.yaml": definitionYaml({ id: incidentId, incidentUpdates }),
    "incidents/b.yaml": definitionYaml({ id: numberedId(2), name: "Search is slow" }),
  };
  const world = createWorld({ env, transport, files, ...setup });
  const write = (name: string, text: string) => writeFileSync(join(world.folder, name), text);
  const textsOf = (id: string) =>
    service
      .incidents()
      .find((each) => each.id === id)
      ?.incidentUpdates.map(({ description }) => description);
  return { ...world, service, write, textsOf };
}

it("a plan as Markdown has the texts, and no text is markup", async () => {
  const { run, write } = await openWorld();
  const incidentUpdates = updates(["INVESTIGATING", "See [this](https://x.example) @team"]);
  write("incidents/b.yaml", definitionYaml({ id: numberedId(2), name: "A | b", incidentUpdates }));
  const { stdout } = await run(`${apply} --dry-run -o markdown`);
  expect(stdout).toContain(`> ${texts.cause}`);
  expect(stdout).toContain("Checkout fails, INVESTIGATING, notifies:");
  expect(stdout).not.toMatch(/(?<!\\)\]\(|@team|A \| b/);
});

describe.each(lifeServices)("what was confirmed, at %s", (...services) => {
  it("is sent, and nothing else", async () => {
    const { run, service, textsOf, write } = await openWorld(services);
    write("incidents/a.yaml", definitionYaml({ id: incidentId, incidentUpdates: first }));
    expect((await run(`${apply} --yes`)).exitCode).toBe(0);
    write("incidents/a.yaml", definitionYaml({ id: incidentId, severity: "CRITICAL", incidentUpdates }));
    const { confirm } = JSON.parse((await run(`${apply} --dry-run -o json`)).stdout);
    const before = service.requests.length;
    const sentSince = () =>
      service.requests
        .slice(before)
        .map(({ operation }) => operation)
        .filter((operation) => ["create", "edit", "update"].includes(operation));
    write("incidents/a.yaml", definitionYaml({ id: incidentId, severity: "MINOR", incidentUpdates }));
    expect((await run(`${apply} --confirm ${confirm}`)).exitCode).toBe(13);
    expect(sentSince()).toEqual([]);
    write("incidents/a.yaml", definitionYaml({ id: incidentId, severity: "CRITICAL", incidentUpdates }));
    const applied = await run(`${apply} --confirm ${confirm}`);
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(sentSince()).toEqual(["edit", "update", "update"]);
    expect(textsOf(incidentId)).toEqual(Object.values(texts));
    expect((await run(`${apply} --confirm ${confirm}`)).exitCode).toBe(0);
    expect(sentSince()).toHaveLength(3);
  });
});

it("the value that an edit replaces is confirmed as well", async () => {
  const { run, service, write } = await openWorld();
  write("incidents/a.yaml", definitionYaml({ id: incidentId, incidentUpdates: first }));
  expect((await run(`${apply} --yes`)).exitCode).toBe(0);
  write("incidents/a.yaml", definitionYaml({ id: incidentId, name: "Mine", incidentUpdates: first }));
  const { confirm } = JSON.parse((await run(`${apply} --dry-run -o json`)).stdout);
  expect((await run(`update ${incidentId} --name Theirs --yes`)).exitCode).toBe(0);
  const count = service.requests.length;
  expect((await run(`${apply} --confirm ${confirm}`)).exitCode).toBe(13);
  expect(service.requests.slice(count).filter(({ operation }) => operation === "edit")).toEqual([]);
});

describe("a run with --dedup-key that broke off before its second update", () => {
  it.each(lifeServices)("is continued by the rerun, at %s", async (...services) => {
    const { run, service, write } = await openWorld(services);
    write(
      "alert.yaml",
      definitionYaml({
        incidentUpdates: updates(["INVESTIGATING", texts.looking], ["IDENTIFIED", texts.cause]),
      }),
    );
    const create = "create -f alert.yaml --dedup-key checkout-eu --settle-for 1s";
    // The cache says how the service takes an update.
    expect((await run("list")).exitCode).toBe(0);
    service.loseRequest("update");
    const broken = await run(create);
    expect([8, 9]).toContain(broken.exitCode);
    const [, operation] = /journal settle (\S+) --not-created/.exec(broken.stderr) ?? [];
    if (operation !== undefined) await run(`journal settle ${operation} --not-created --yes`);
    const shown = () => service.incidents().map(({ incidentUpdates }) => incidentUpdates.length);
    expect(shown()).toEqual([1]);
    const rerun = await run(create);
    expect(rerun.exitCode, rerun.stderr).toBe(0);
    expect(shown()).toEqual([2]);
    expect((await run(create)).exitCode).toBe(0);
    // The alert of another text leaves the incident as it is.
    write(
      "alert.yaml",
      definitionYaml({ incidentUpdates: updates(["INVESTIGATING", "Other."], ["IDENTIFIED", texts.cause]) }),
    );
    expect((await run(create)).exitCode).toBe(0);
    expect(shown()).toEqual([2]);
  });
});

it.each(["apply -f b.yaml", "create -f b.yaml"])(
  "%s names no digest and no command where the outcome is not known",
  async (line) => {
    const files = { "b.yaml": definitionYaml({ id: numberedId(2) }) };
    const world = createWorld({ files, faults: ["create#1:no-answer"] });
    expect((await world.run(`${line} --settle-for 1s --yes`)).exitCode).toBe(8);
    const { exitCode, stderr, stdout } = await world.run(`${line} --settle-for 1s --dry-run -o json`);
    expect(exitCode).toBe(8);
    expect(`${stdout}${stderr}`).not.toMatch(/"confirm"|"--confirm"/);
    expect(stdout === "" ? {} : JSON.parse(stdout)).not.toHaveProperty("command");
  },
);
