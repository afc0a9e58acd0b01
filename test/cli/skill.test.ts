// The skill for assistants: its command lines run, its flags exist, and its exit codes are those of the tool.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/failure.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

const root = new URL("../..", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");
const skill = read("skills/incident/SKILL.md");

/** The command lines of the blocks and of the text, without `incident`. */
const lines = [
  ...new Set([...skill.matchAll(/(?:^ *|`)incident ([a-z]+ [^`\n]+)/gm)].map(([, line = ""]) => line.trim())),
];

describe("skills/incident/SKILL.md", () => {
  it("has the form that installers read, in at most 150 lines", () => {
    expect(skill).toMatch(/^---\nname: incident\ndescription: .{40,1024}\n---\n/);
    expect(skill.split("\n").length).toBeLessThanOrEqual(150);
    expect(JSON.parse(read("package.json")).files).toContain("skills");
  });

  it("has every exit code with its kind", () => {
    const rows = [...skill.matchAll(/^\| (\d+) \| (\w+) \|/gm)].map(([, code, kind]) => [kind, Number(code)]);
    expect(Object.fromEntries(rows)).toEqual(exitCodes);
  });

  it("names no flag that does not exist", () => {
    const known = [globalFlags, ...specs.map(({ flags }) => flags)]
      .flatMap((flags) => Object.values(flags))
      .flatMap(({ usage }) => usage.match(/--[a-z-]+/g) ?? []);
    const named = skill.match(/(?<=[\s`])--[a-z][a-z-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((flag) => !known.includes(flag))).toEqual([]);
  });

  it("has command lines that run as they stand", async () => {
    expect(lines.length).toBeGreaterThan(6);
    const solved = "[{ description: Solved., status: RESOLVED }]";
    for (const line of lines) {
      const world = createWorld({
        sandbox: { onlySpec: false },
        files: {
          ...(!line.startsWith("new") && { "checkout.yaml": definitionYaml({ id: incidentId }) }),
          "incidents/a.yaml": definitionYaml({
            id: incidentId,
            ...(line.includes("--wait-for") && { incidentUpdates: solved }),
          }),
        },
      });
      if (line.includes("ID")) expect((await world.run("create -f incidents/a.yaml")).exitCode).toBe(0);
      const { exitCode, stderr } = await world.run(line.replace("ID", incidentId));
      // A declared incident has nothing to settle.
      const isSettling = line.startsWith("journal settle");
      expect({ line, stderr, isRight: isSettling ? exitCode !== 1 : exitCode === 0 }).toMatchObject({
        isRight: true,
      });
    }
  });

  it("leads from the preview to one declared incident", async () => {
    const loud = "[{ description: Down., notifySubscribers: true }]";
    const files = { "checkout.yaml": definitionYaml({ id: incidentId, incidentUpdates: loud }) };
    const world = createWorld({ files });
    const preview = await world.run("create -f checkout.yaml --dry-run -o json");
    const { command } = JSON.parse(preview.stdout);
    for (let run = 0; run < 3; run += 1)
      expect((await world.run(command.slice(1).join(" "))).exitCode).toBe(0);
    expect((await world.run(`get ${incidentId} -o id`)).stdout).toBe(`${incidentId}\n`);
  });

  it("leads from the preview of an update to one update", async () => {
    const files = { "checkout.yaml": definitionYaml({ id: incidentId }) };
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    await world.run("create -f checkout.yaml");
    const line = `update ${incidentId} --status monitoring --message Fixed. --notify`;
    const { command } = JSON.parse((await world.run(`${line} --dry-run -o json`)).stdout);
    for (let run = 0; run < 3; run += 1)
      expect((await world.run(command.slice(1).join(" "))).exitCode).toBe(0);
    const { incidentUpdates } = JSON.parse((await world.run(`get ${incidentId} -o json`)).stdout);
    expect(incidentUpdates.filter(({ status }: { status: string }) => status === "MONITORING")).toHaveLength(
      1,
    );
  });
});

it("AGENTS.md has at most 30 lines, and names commands that exist", () => {
  const text = read("AGENTS.md");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
  const scripts = Object.keys(JSON.parse(read("package.json")).scripts);
  for (const [, name = ""] of text.matchAll(/npm run ([a-z:]+)/g)) expect(scripts).toContain(name);
});
