// The documented schemas of the outputs: real outputs satisfy them, and have no field that they do not name.
import { execFileSync } from "node:child_process";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { access, incidentId, serviceYaml } from "../harness/builders.ts";
import { vendorText, vendorWith } from "../harness/contracts.ts";
import { createWorld, type Setup } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";
import { outputSchema, outputs } from "./output-schemas.ts";

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
  "later.yaml": definition()
    .replace("MAJOR", "MINOR")
    .replace("true }]", "true }, { description: Solved., status: RESOLVED }]"),
  "invalid.yaml": definition("severty: MAJOR\n"),
  "warned.yaml": definition().replace("It.", "# it."),
  "unnamed.yaml": definition().replace(/^id.*\n/, ""),
  ".incident.yaml": `services: { checkout: ${serviceYaml} }\n`,
  "vendor.json": vendorText,
  "stricter.json": JSON.stringify(vendorWith("IncidentCreate properties name", { maxLength: 10 })),
  "incident-templates/slow.yaml": `variables:
  region: { values: { eu: Europe, us: America } }
  cause: { otherwise: unknown, maxLength: 20 }
  note:
---
${definition().replace("Checkout fails", `$${"{region}"} is slow, $${"{cause}"}, $${"{note}"}`)}`,
  "incident-templates/broken.yaml": "name: x\n",
};

type Schema = Readonly<Record<string, unknown>>;

/** The schema without the freedom to add fields, so that each field of a real output must be documented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in schema ? { ...copy, additionalProperties: false } : copy;
}

const ajv = new Ajv2020({ allowUnionTypes: true });
const compiled = new Map<string, ValidateFunction>();

/** What the schema finds wrong with an output. */
function faults(name: string, output: string): unknown {
  const validate = compiled.get(name) ?? ajv.compile(closed(outputSchema(name)) as Schema);
  compiled.set(name, validate);
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
const whole: Setup = { sandbox: { onlySpec: false } };
const runs: readonly Run[] = [
  { output: "create", lines: ["create -f a.yaml"] },
  { output: "create", lines: ["create -f a.yaml -f unnamed.yaml --new"] },
  { output: "create", lines: ["create -f unnamed.yaml --dedup-key a"] },
  { output: "get", lines: ["create -f a.yaml", `get ${id}`] },
  { output: "list", lines: ["create -f a.yaml", "list"], setup: whole },
  {
    output: "update",
    lines: ["create -f a.yaml", `update ${id} --status monitoring --severity minor --message Soon.`],
    setup: whole,
  },
  { output: "resolve", lines: ["create -f a.yaml", `resolve ${id} --message Over.`], setup: whole },
  { output: "apply", lines: ["apply -f a.yaml"] },
  { output: "apply", lines: ["apply -f a.yaml --dry-run"] },
  { output: "apply", lines: ["create -f a.yaml", "apply -f drifted.yaml"] },
  { output: "apply", lines: ["create -f a.yaml", "apply -f later.yaml --dry-run"], setup: whole },
  { output: "apply", lines: ["create -f a.yaml", "apply -f later.yaml"], setup: whole },
  {
    output: "apply",
    lines: ["apply -f a.yaml --settle-for 1s"],
    setup: { faults: ["create:no-answer"] },
  },
  { output: "validate", lines: ["validate a.yaml"] },
  { output: "validate", lines: ["validate invalid.yaml"] },
  { output: "validate", lines: ["validate incident-templates/slow.yaml"] },
  { output: "validate", lines: ["validate warned.yaml"] },
  { output: "validate", lines: ["validate unnamed.yaml --fix --assign-ids"] },
  { output: "doctor", lines: ["doctor"] },
  { output: "doctor", lines: ["doctor --timeout 1s"], setup: down },
  { output: "journal-list", lines: ["create -f a.yaml", "journal list"] },
  { output: "journal-show", lines: ["create -f a.yaml", `journal show ${id}`] },
  {
    output: "journal-settle",
    lines: ["create -f a.yaml --settle-for 1s", `journal settle ${id} --not-created --yes`],
    setup: { faults: ["create:no-answer"] },
  },
  {
    output: "journal-copy",
    lines: ["create -f a.yaml", "INCIDENT_CLI_JOURNAL=git+file://FOLDER/shared.git journal copy --to shared"],
  },
  { output: "journal-accept", lines: ["create -f a.yaml --yes", "journal accept"] },
  { output: "journal-init", lines: ["journal init"] },
  { output: "config-show", lines: ["config show"] },
  { output: "contract-pull", lines: ["contract pull --from vendor.json"] },
  {
    output: "contract-check",
    lines: ["contract pull --from vendor.json", "contract check --from vendor.json"],
  },
  {
    output: "contract-check",
    lines: ["contract pull --from vendor.json", "contract check --from stricter.json"],
  },
  { output: "gate", lines: ["create -f a.yaml", "gate"] },
  { output: "gate", lines: ["create -f a.yaml", "gate"], setup: { faults: ["get#2:503"] } },
  {
    output: "open",
    lines: [`open ${incidentId}`],
    setup: { env: { INCIDENT_CLI_WEB_URL: "https://app.example.com/{id}" } },
  },
  { output: "login", lines: ["login --profile x --api-key-stdin"] },
  { output: "logout", lines: ["login --profile x --api-key-stdin", "logout --profile x"] },
  { output: "services-import", lines: ["create -f a.yaml", `services import ${id} --yes`] },
  { output: "templates-list", lines: ["templates list"] },
  { output: "services-list", lines: ["services list"] },
  { output: "error", lines: [`get ${incidentId}`], isOnStderr: true },
  { output: "error", lines: ["create -f invalid.yaml"], isOnStderr: true },
  {
    output: "error",
    lines: ["create -f a.yaml --settle-for 1s"],
    setup: { faults: ["create:no-answer"] },
    isOnStderr: true,
  },
  { output: "error", lines: ["get --no-such-flag"], isOnStderr: true },
];

describe("the schemas of the outputs", () => {
  it.each(runs)("$output describes $lines", async ({ output, lines, setup, isOnStderr }) => {
    const world = createWorld({ files, env: { PATH: process.env.PATH ?? "" }, ...setup });
    const repository = `${world.folder}/shared.git`;
    const isShared = output === "journal-accept";
    if (isShared || output === "journal-copy") execFileSync("git", ["init", "--quiet", "--bare", repository]);
    let text = "";
    let said = "";
    for (const line of lines) {
      const { stdout, stderr } = await world.run(`${line.replace("FOLDER", world.folder)} -o json`, {
        stdin: `${access.apiKey}\n`,
        env: isShared ? { INCIDENT_CLI_JOURNAL: `git+file://${repository}` } : {},
      });
      said = stderr;
      text = isOnStderr ? (stderr.trim().split("\n").at(-1) as string) : stdout;
    }
    expect(text, said).not.toBe("");
    expect(faults(output, text)).toEqual([]);
  });

  it("have the output of every command with -o json", () => {
    const names = specs.flatMap((spec) =>
      spec.name !== "schema" && spec.outputs.includes("json") ? [spec.name.replaceAll(" ", "-")] : [],
    );
    expect([...names, "error"].sort()).toEqual(Object.keys(outputs).sort());
  });

  it("describe every output that it names", () => {
    expect([...new Set(runs.map(({ output }) => output))].sort()).toEqual(Object.keys(outputs).sort());
  });

  it("find a wrong type, a missing field and a field that is not documented", () => {
    const good = { healthy: true, checks: [] };
    expect(faults("doctor", JSON.stringify(good))).toEqual([]);
    expect(faults("doctor", JSON.stringify({ ...good, healthy: "yes" }))).toHaveLength(1);
    expect(faults("doctor", JSON.stringify({ ...good, checks: undefined }))).toHaveLength(1);
    expect(faults("doctor", JSON.stringify({ ...good, more: 1 }))).toHaveLength(1);
  });
});
