// The documented schemas of the outputs: real outputs satisfy them, and have no field that they do not name.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { outputNames } from "../../../src/commands/schema/spec.ts";
import { incidentId, serviceYaml } from "../../harness/builders.ts";
import { createWorld, incident, type Setup } from "../../harness/incident.ts";

const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const definition = (more = "") => `id: ${id}
name: Checkout fails
severity: MAJOR
services: [${serviceYaml}]
incidentUpdates: [{ description: We are looking into it., notifySubscribers: true }]
${more}`;
const files = {
  "a.yaml": definition(),
  "drifted.yaml": definition().replace("MAJOR", "MINOR"),
  "invalid.yaml": definition("severty: MAJOR\n"),
  "warned.yaml": definition().replace("It.", "# it."),
  "unnamed.yaml": definition().replace(/^id.*\n/, ""),
  ".incident.yaml": `services: { checkout: ${serviceYaml} }\n`,
};

type Schema = Readonly<Record<string, unknown>>;

/** The schema without the freedom to add fields, so that each field of a real output must be documented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in schema ? { ...copy, additionalProperties: false } : copy;
}

/** What the schema finds wrong with an output. */
async function faults(name: string, output: string): Promise<unknown> {
  const schema = JSON.parse((await incident(`schema --output ${name}`)).stdout) as Schema;
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(closed(schema) as Schema);
  validate(JSON.parse(output));
  return validate.errors ?? [];
}

interface Run {
  readonly output: string;
  /** The last is validated. */
  readonly lines: readonly string[];
  readonly setup?: Setup;
  readonly isOnStderr?: boolean;
}

const down: Setup = { faults: ["any:no-answer"] };
const runs: readonly Run[] = [
  { output: "create", lines: ["create -f a.yaml"] },
  { output: "create", lines: ["create -f a.yaml -f unnamed.yaml --new"] },
  { output: "get", lines: ["create -f a.yaml", `get ${id}`] },
  { output: "apply", lines: ["apply -f a.yaml"] },
  { output: "apply", lines: ["apply -f a.yaml --dry-run"] },
  { output: "apply", lines: ["create -f a.yaml", "apply -f drifted.yaml"] },
  {
    output: "apply",
    lines: ["apply -f a.yaml --settle-for 1s --max-retries 0"],
    setup: { faults: ["create:no-answer"] },
  },
  { output: "validate", lines: ["validate a.yaml"] },
  { output: "validate", lines: ["validate invalid.yaml"] },
  { output: "validate", lines: ["validate warned.yaml"] },
  { output: "validate", lines: ["validate unnamed.yaml --fix --assign-ids"] },
  { output: "doctor", lines: ["doctor"] },
  { output: "doctor", lines: ["doctor --max-retries 0 --timeout 1s"], setup: down },
  { output: "journal-list", lines: ["create -f a.yaml", "journal list"] },
  { output: "journal-show", lines: ["create -f a.yaml", `journal show ${id}`] },
  { output: "config-show", lines: ["config show"] },
  { output: "services-list", lines: ["services list"] },
  { output: "error", lines: [`get ${incidentId}`], isOnStderr: true },
  { output: "error", lines: ["create -f invalid.yaml"], isOnStderr: true },
  {
    output: "error",
    lines: ["create -f a.yaml --settle-for 1s --max-retries 0"],
    setup: { faults: ["create:no-answer"] },
    isOnStderr: true,
  },
  { output: "error", lines: ["get --no-such-flag"], isOnStderr: true },
];

describe("incident schema --output", () => {
  it.each(runs)("$output describes $lines", async ({ output, lines, setup, isOnStderr }) => {
    const world = createWorld({ files, ...setup });
    let text = "";
    for (const line of lines) {
      const { stdout, stderr } = await world.run(`${line} -o json`);
      text = isOnStderr ? (stderr.trim().split("\n").at(-1) as string) : stdout;
    }
    expect(await faults(output, text)).toEqual([]);
  });

  it("describes every output that it names", () => {
    expect([...new Set(runs.map(({ output }) => output))].sort()).toEqual([...outputNames]);
  });

  it("finds a wrong type, a missing field and a field that is not documented", async () => {
    const good = { formatVersion: 1, healthy: true, checks: [] };
    expect(await faults("doctor", JSON.stringify(good))).toEqual([]);
    expect(await faults("doctor", JSON.stringify({ ...good, healthy: "yes" }))).toHaveLength(1);
    expect(await faults("doctor", JSON.stringify({ ...good, checks: undefined }))).toHaveLength(1);
    expect(await faults("doctor", JSON.stringify({ ...good, more: 1 }))).toHaveLength(1);
  });
});
