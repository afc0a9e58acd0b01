// A create without an id is named by its content: while the incident that this content declared is open, the same
// create answers with it, and sends nothing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { definitionYaml, terminal } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { createWorld, type World } from "../../harness/incident.ts";
import { refusal } from "../services-by-hand.ts";

const notifying = "[{ description: Broken., status: INVESTIGATING, notifySubscribers: true }]";
const silent = "[{ description: Broken., status: INVESTIGATING, notifySubscribers: false }]";
const files = {
  "x.yaml": definitionYaml(),
  "two.yaml": `${definitionYaml()}---\n${definitionYaml({ name: "Refunds fail" })}`,
  "loud.yaml": definitionYaml({ incidentUpdates: notifying }),
  "silent.yaml": definitionYaml({ incidentUpdates: silent }),
  "refunds-then-loud.yaml": `${definitionYaml({ name: "Refunds fail" })}---\n${definitionYaml({ incidentUpdates: notifying })}`,
};
const first = "00000000-0000-4000-8000-000000000001";
const still = `still open ${first}  Checkout fails (declared from here at 2026-11-20 07:31 +01:00; --new declares another)\n`;

async function declared(line = "create -f x.yaml"): Promise<World> {
  const world = createWorld({ files });
  expect((await world.run(line)).exitCode).toBe(0);
  return world;
}

async function seen(world: World, line: string, more: Parameters<World["run"]>[1] = {}) {
  const { exitCode, requests, stderr, stdout } = await world.run(line, more);
  return { exitCode, requests: requests.map(({ method }) => method), stderr, stdout };
}

describe("the same create, while its incident is open,", () => {
  it("answers with it", async () => {
    const world = await declared();
    expect(await seen(world, "create -f x.yaml -o id")).toEqual({
      exitCode: 0,
      requests: ["GET"],
      stdout: `${first}\n`,
      stderr: still,
    });
    // A person is asked nothing.
    const { stdout } = await world.run("create -f x.yaml -o json", { terminal });
    expect(JSON.parse(stdout)).toEqual({ how: "open", ...world.sandbox.incidents()[0] });
  });

  it("answers where the file gives the first text another status", async () => {
    const world = createWorld({ files });
    await world.run("create -f silent.yaml");
    writeFileSync(
      join(world.folder, "silent.yaml"),
      files["silent.yaml"].replace("INVESTIGATING", "IDENTIFIED"),
    );
    const again = await seen(world, "create -f silent.yaml -o id");
    expect(again).toMatchObject({ exitCode: 0, stdout: `${first}\n` });
    expect(again.stderr).toContain(still);
    expect(again.stderr).toContain('incidentUpdates[0].status is "INVESTIGATING", not "IDENTIFIED"');
    expect(world.sandbox.incidents()).toHaveLength(1);
  });
});

/** As if a person had resolved each incident. */
const resolving = ({ sandbox }: World) =>
  rewriting(sandbox, (text, { method }) =>
    method === "GET" ? text.replaceAll("INVESTIGATING", "RESOLVED") : undefined,
  );

it.each([
  ["declared one", "create -f x.yaml", [], 0],
  ["failed", "create -f two.yaml", ["create#2:403"], 9],
])("declares another once that is over, where the first command %s", async (_, line, faults, exitCode) => {
  const world = createWorld({ files, faults });
  expect((await world.run(line)).exitCode).toBe(exitCode);
  expect((await seen(world, "create -f x.yaml")).stderr).toContain("still open");
  const again = await seen(world, "create -f x.yaml", { transport: resolving(world) });
  expect(again).toMatchObject({ exitCode: 0, requests: ["GET", "POST"] });
  expect(again.stderr).not.toContain("declared from here");
});

describe("where the service does not show the incident,", () => {
  const showsNothing: Transport = async () => refusal(404);

  it("it counts as open: a cache may be behind", async () => {
    const world = await declared();
    const again = await seen(world, "create -f x.yaml -o id", { transport: showsNothing });
    expect(again).toMatchObject({ exitCode: 0, requests: ["GET"], stdout: `${first}\n` });
    expect(again.stderr).toContain(`warning: the service does not show ${first}`);
    expect(again.stderr).toContain(still);
  });

  it("nothing is sent later, where no list says that it is gone", async () => {
    const world = await declared();
    world.clock.advance(400_000);
    const again = await seen(world, "create -f x.yaml", { transport: showsNothing });
    expect(again).toMatchObject({ exitCode: 5, requests: ["GET"] });
    expect(again.stderr).toContain(`incident journal settle ${first} --not-created --yes`);
  });
});

describe("a create that would notify, where the open incident was declared without,", () => {
  it("counts only what was declared, and not an attempt that was refused", async () => {
    const world = createWorld({ files, faults: ["create#1:403"] });
    expect((await world.run("create -f silent.yaml")).exitCode).toBe(4);
    expect((await world.run("create -f loud.yaml")).exitCode).toBe(0);
    expect(await seen(world, "create -f loud.yaml")).toMatchObject({ exitCode: 0, requests: ["GET"] });
  });

  it("stops the others of its batch too", async () => {
    const world = await declared("create -f silent.yaml");
    const again = await seen(world, "create -f refunds-then-loud.yaml");
    expect(again).toMatchObject({ exitCode: 6, requests: ["GET"] });
    expect(again.stderr).toContain('0 declared, then "Checkout fails" (2 of 2): ');
    expect(again.stderr.replace(/\s+/g, " ")).toContain(
      `next: nothing was sent; leave the notification out; incident update ${first} --message - --notify tells subscribers in another update, with the text from standard input`,
    );
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it.each([
    ["create -f loud.yaml", "create -f loud.yaml"],
    ["create -f loud.yaml", "create -f silent.yaml"],
    ["create -f silent.yaml", "create -f silent.yaml"],
  ])("and no other: %s, then %s", async (before, line) => {
    const world = await declared(before);
    expect(await seen(world, line)).toMatchObject({ exitCode: 0, requests: ["GET"] });
  });
});
