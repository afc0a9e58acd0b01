// What a preview of a create says of an earlier create from here.
import { describe, expect, it } from "vitest";
import { definitionYaml } from "../../harness/builders.ts";
import { createWorld, type World } from "../../harness/incident.ts";

const files = {
  "x.yaml": definitionYaml(),
  "edited.yaml": definitionYaml({ incidentUpdates: "[{ description: It is back., status: MONITORING }]" }),
};
const first = "00000000-0000-4000-8000-000000000001";

async function declared(): Promise<World> {
  const world = createWorld({ files });
  expect((await world.run("create -f x.yaml")).exitCode).toBe(0);
  return world;
}

describe("a preview of a create", () => {
  const answers = `warning: ${first} was declared from here with this content: while it is open, a create without --key sends nothing, and the command with --key may declare another`;
  const told = ({ stderr }: { readonly stderr: string }) =>
    stderr.split("\n").filter((line) => line.includes("declared from here"));

  it.each<[string, string, readonly string[]]>([
    ["with the content of an open incident names it", "create -f x.yaml", [answers]],
    ["is silent with other content", "create -f edited.yaml", []],
    ["is silent with --dedup-key", "create -f x.yaml --dedup-key a", []],
  ])("%s", async (_, line, lines) => {
    const result = await (await declared()).run(`${line} --dry-run`);
    expect({ told: told(result), requests: result.requests }).toEqual({ told: lines, requests: [] });
  });

  it("with the content of a create without a known outcome says so", async () => {
    const world = createWorld({ files, faults: ["create:drop-before-commit"] });
    expect((await world.run("create -f x.yaml --settle-for 1s")).exitCode).toBe(8);
    const { stderr } = await world.run("create -f x.yaml --dry-run");
    expect(stderr).toContain(`warning: the outcome of an earlier create of ${first} is not known`);
  });
});

describe("an incident that was resolved from here", () => {
  const resolvedWorld = async () => {
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    const { stdout } = await world.run("create -f x.yaml -o id");
    expect((await world.run(`resolve ${stdout.trim()} --message Solved.`)).exitCode).toBe(0);
    return world;
  };

  it.each(["edited.yaml", "x.yaml"])("is not named by a preview of %s", async (file) => {
    const { stderr } = await (await resolvedWorld()).run(`create -f ${file} --dry-run`);
    expect(stderr).not.toContain("declared from here");
  });
});
