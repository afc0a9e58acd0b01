// Every value of -o in every mode of every command: a format that is offered prints something, and any other one is a
// usage error with the list of those that are.
import { describe, expect, it } from "vitest";
import { specs } from "../../src/cli/registry.ts";
import { modesOf, outputsOf } from "../../src/kit/choose-format.ts";
import { formats } from "../../src/kit/formats.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, incident } from "../harness/incident.ts";

const everyFormat: readonly string[] = formats;
const outputsOfCommand = (name: string, mode?: string) => {
  const spec = specs.find((each) => each.name === name);
  const found = spec && modesOf(spec).find(({ flag }) => flag === mode);
  return found?.outputs ?? spec?.outputs ?? [];
};

/** The command lines that read or show an incident, by their modes. */
const runs = [
  { command: "create", line: "create -f x.yaml" },
  { command: "create", line: "create -f x.yaml --dry-run", mode: "--dry-run" },
  { command: "get", line: `get ${id}` },
  { command: "get", line: `get ${id} --wait-for investigating` },
  { command: "get", line: `get ${id} --watch --wait-for investigating`, mode: "--watch" },
  { command: "apply", line: "apply -f x.yaml" },
  { command: "apply", line: "apply -f x.yaml --dry-run" },
  { command: "validate", line: "validate x.yaml" },
  { command: "journal list", line: "journal list" },
  { command: "journal init", line: "journal init --sql", mode: "--sql" },
] as const;

/** A list of nothing in these formats is an empty text. */
const emptyWithoutProblems = ["github"];

const cases = runs.flatMap(({ line, command, ...rest }) => {
  const offered: readonly string[] = outputsOfCommand(command, "mode" in rest ? rest.mode : undefined);
  return everyFormat.map((format) => ({ line: `${line} -o ${format}`, format, offered }));
});

async function worldWithIncident() {
  const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) }, inMemory: true });
  expect((await world.run("create -f x.yaml")).exitCode).toBe(0);
  return world;
}

describe("a command", () => {
  it.each(cases.filter(({ format, offered }) => offered.includes(format)))(
    "prints for $line",
    async ({ format, line }) => {
      const { exitCode, stdout } = await (await worldWithIncident()).run(line);
      expect(exitCode).toBe(0);
      if (!emptyWithoutProblems.includes(format)) expect(stdout.trim()).not.toBe("");
    },
  );

  it.each(cases.filter(({ format, offered }) => !offered.includes(format)))(
    "refuses $line",
    async ({ format, line, offered }) => {
      const { exitCode, requests, stderr, stdout } = await incident(line, {
        files: { "x.yaml": definitionYaml({ id }) },
        inMemory: true,
      });
      expect({ exitCode, requests, stdout }).toEqual({ exitCode: 2, requests: [], stdout: "" });
      const said = stderr.replace(/\s+/g, " ").replaceAll('\\"', '"');
      expect(said).toContain(`cannot print "${format}"`);
      expect(said).toContain(`use -o with one of: ${offered.join(", ")}`);
    },
  );
});

describe("the mode of a command", () => {
  it.each(specs.filter(({ modes }) => modes !== undefined))("of $name is a flag of the command", (spec) => {
    expect(modesOf(spec).map(({ name }) => Object.hasOwn(spec.flags, name))).not.toContain(false);
    expect(outputsOf(spec)).toEqual(expect.arrayContaining(modesOf(spec).flatMap(({ outputs }) => outputs)));
  });
});
