// A person corrects a decision about an unknown outcome, or says that a declared incident is gone.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";

const files = { "x.yaml": definitionYaml({ id }), "alert.yaml": definitionYaml() };
const create = "create -f x.yaml --settle-for 1s";
const settle = `journal settle ${id} --yes`;

async function unsettled(): Promise<World> {
  const world = createWorld({ files, faults: ["create#1:drop-before-commit"] });
  expect(await world.run(create)).toMatchObject({ exitCode: 8, posts: 1 });
  return world;
}

async function types(world: World): Promise<readonly string[]> {
  const { stdout } = await world.run(`journal show ${id} -o json`);
  return JSON.parse(stdout).events.map(({ type }: { type: string }) => type);
}

describe("a person who settled", () => {
  it("a create as declared corrects it: the rerun declares it", async () => {
    const world = await unsettled();
    await world.run(`${settle} --created --service-id ${id}`);
    expect(await world.run(create)).toMatchObject({ exitCode: 0, posts: 0 });
    expect((await world.run(`${settle} --not-created`)).exitCode).toBe(0);
    expect(await types(world)).toEqual(["sending", "uncertain", "created", "not-created"]);
    expect(await world.run(create)).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("a create as not declared corrects it: the rerun sends nothing", async () => {
    const world = await unsettled();
    await world.run(`${settle} --not-created`);
    expect((await world.run(`${settle} --created`)).exitCode).toBe(5);
    expect((await world.run(`${settle} --created --service-id ${id}`)).exitCode).toBe(0);
    expect(await types(world)).toEqual(["sending", "uncertain", "not-created", "created"]);
    expect(await world.run(create)).toMatchObject({ exitCode: 0, posts: 0 });
  });

  it("confirms the correction", async () => {
    const world = await unsettled();
    await world.run(`${settle} --not-created`);
    const line = `journal settle ${id} --created --service-id ${id}`;
    const script = await world.run(line);
    expect(script).toMatchObject({ exitCode: 2 });
    expect(script.stderr).toContain("this needs a confirmation: ");
    const terminal = { stdin: true, stdout: true, stderr: true, columns: 1000 };
    const declined = await world.run(line, { terminal, answers: ["n"] });
    expect(declined.screen).toContain("as created?");
    expect(await types(world)).toEqual(["sending", "uncertain", "not-created"]);
    expect((await world.run(line, { terminal, answers: ["y"] })).exitCode).toBe(0);
  });
});

describe("a person who says that a declared incident is gone", () => {
  it("is refused while the service shows it", async () => {
    const world = createWorld({ files });
    await world.run(create);
    const result = await world.run(`${settle} --not-created`);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`the service shows incident ${id}`);
  });

  it("is believed where the service does not show it", async () => {
    const world = createWorld({ files });
    await world.run(create);
    const { transport } = createWorld().sandbox;
    expect((await world.run(`${settle} --not-created`, { transport })).exitCode).toBe(0);
    expect(await world.run(create, { transport })).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("frees the key of an alert", async () => {
    const world = createWorld({ files });
    const alert = "create -f alert.yaml --dedup-key a -o id";
    const declared = (await world.run(alert)).stdout.trim();
    const { transport } = createWorld().sandbox;
    expect(await world.run(alert, { transport })).toMatchObject({ exitCode: 0, posts: 0 });
    await world.run(`journal settle ${declared} --not-created --yes`, { transport });
    expect(await world.run(alert, { transport })).toMatchObject({ exitCode: 0, posts: 1 });
  });
});
