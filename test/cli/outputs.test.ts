// Every value of -o in every mode of every command: a format that is offered prints something, and any other one is a
// usage error with the list of those that are.
import { beforeAll, describe, expect, it } from "vitest";
import { modesOf, outputsOf } from "../../src/kit/command.ts";
import { formatsOf } from "../../src/kit/report.ts";
import { definitionYaml, incidentId as id, serviceYaml } from "../harness/builders.ts";
import { sampled } from "../harness/cases.ts";
import { createWorld, incident, type Setup, type World } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

const everyFormat: readonly string[] = [...new Set(Object.values(formatsOf).flat())];

const update = `--status identified --message 'We found the cause.'`;

/** A command line for each command that prints a result, by its modes; the incident of the world is declared. */
const runs: readonly { readonly command: string; readonly line: string; readonly mode?: string }[] = [
  { command: "create", line: "create -f x.yaml" },
  { command: "create", line: "create --template fixed --new" },
  { command: "create", line: "create --template fixed --dry-run", mode: "--dry-run" },
  { command: "update", line: `update ${id} ${update}` },
  { command: "update", line: `update ${id} ${update} --dry-run`, mode: "--dry-run" },
  { command: "resolve", line: `resolve ${id} --message Over.` },
  { command: "resolve", line: `resolve ${id} --message Over. --dry-run`, mode: "--dry-run" },
  { command: "get", line: `get ${id}` },
  { command: "get", line: `get ${id} --wait-for investigating` },
  { command: "get", line: `get ${id} --watch --wait-for investigating`, mode: "--watch" },
  { command: "list", line: "list" },
  { command: "open", line: `open ${id}` },
  { command: "apply", line: "apply -f x.yaml" },
  { command: "apply", line: "apply -f x.yaml --dry-run" },
  { command: "validate", line: "validate x.yaml" },
  { command: "schema", line: "schema" },
  { command: "services list", line: "services list" },
  { command: "services import", line: `services import ${id} --yes` },
  { command: "templates list", line: "templates list" },
  { command: "gate", line: "gate" },
  { command: "journal list", line: "journal list" },
  { command: "journal show", line: `journal show ${id}` },
  { command: "journal init", line: "journal init" },
  { command: "config show", line: "config show" },
  { command: "contract pull", line: "contract pull" },
  { command: "contract check", line: "contract check" },
  { command: "doctor", line: "doctor" },
  { command: "completion", line: "completion bash" },
  { command: "new", line: "new" },
];

/** These need a terminal, another store or a lost answer, and their own tests run them. */
const others = ["login", "logout", "journal accept", "journal copy", "journal settle", "sandbox"];

/** The formats that a run offers. */
function outputsOfRun({ command, mode }: (typeof runs)[number]): readonly string[] {
  const spec = specs.find((each) => each.name === command);
  const found = spec && modesOf(spec).find(({ flag }) => flag === mode);
  return found?.outputs ?? spec?.outputs ?? [];
}

/** No problem and no change are an empty text, and an import and a pull say what they did on stderr. */
const empty = [
  "validate x.yaml -o github",
  "contract pull -o table",
  "contract check -o table",
  `services import ${id} --yes -o table`,
];

const cases = runs.flatMap((run) => {
  const offered = outputsOfRun(run);
  return everyFormat.map((format) => ({ line: `${run.line} -o ${format}`, format, offered }));
});

const setup: Setup = {
  files: {
    "x.yaml": definitionYaml({ id }),
    ".incident.yaml": `services: { checkout: ${serviceYaml} }\n`,
    "incident-templates/fixed.yaml": `variables: {}\n---\n${definitionYaml({ name: "Another" })}`,
  },
  env: { INCIDENT_CLI_WEB_URL: "https://status.example.com/{id}" },
  sandbox: { onlySpec: false },
};

/** A line of `runs` that changes neither the service nor the files that another one reads. */
const isReading = (line: string) =>
  line.includes("--dry-run") ||
  !/^(?:create|update|resolve|apply|services import|contract pull|journal init)\b/.test(line);

async function worldWithIncident() {
  const world = createWorld(setup);
  expect((await world.run("contract pull")).exitCode).toBe(0);
  expect((await world.run("create -f x.yaml")).exitCode).toBe(0);
  return world;
}

describe("a command", () => {
  it("has a run for each of its modes that prints a result", () => {
    const walked = runs.map(({ command, mode = "" }) => `${command} ${mode}`.trim());
    const needed = specs
      .filter(({ name, outputs }) => outputs.length > 0 && !others.includes(name))
      .flatMap((spec) => [spec.name, ...modesOf(spec).map(({ flag }) => `${spec.name} ${flag}`)]);
    expect(needed.filter((name) => !walked.includes(name))).toEqual([]);
  });

  let read: World;
  beforeAll(async () => {
    read = await worldWithIncident();
  });

  const printed = cases.filter(({ format, offered }) => offered.includes(format));
  it.each(sampled(printed, 3))("prints for $line", async ({ line }) => {
    const world = isReading(line) ? read : await worldWithIncident();
    const { exitCode, stderr, stdout } = await world.run(line);
    // The incident of the world is open.
    expect(exitCode, stderr).toBe(line.startsWith("gate") ? 12 : 0);
    if (!empty.includes(line)) expect(stdout.trim(), stderr).not.toBe("");
  });

  // Any other format takes the same way; the next run is asked for another one.
  const refused = runs.flatMap((run, at) => {
    const other = cases.filter(
      ({ format, line, offered }) => line === `${run.line} -o ${format}` && !offered.includes(format),
    );
    return other.length === 0 ? [] : [other[at % other.length] as (typeof cases)[number]];
  });
  it.each(refused)("refuses $line", async ({ format, line, offered }) => {
    const { exitCode, requests, stderr, stdout } = await incident(line, setup);
    expect({ exitCode, requests, stdout }).toEqual({ exitCode: 2, requests: [], stdout: "" });
    const said = stderr.replace(/\s+/g, " ").replaceAll('\\"', '"');
    expect(said).toContain(`cannot print "${format}"`);
    expect(said).toContain(`use -o with one of: ${offered.join(", ")}`);
  });
});

describe("the mode of a command", () => {
  it.each(specs.filter(({ modes }) => modes !== undefined))("of $name is a flag of the command", (spec) => {
    expect(modesOf(spec).map(({ name }) => Object.hasOwn(spec.flags, name))).not.toContain(false);
    expect(outputsOf(spec)).toEqual(expect.arrayContaining(modesOf(spec).flatMap(({ outputs }) => outputs)));
  });
});
