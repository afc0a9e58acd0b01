// The documented schemas of the outputs: real outputs satisfy them, and have no field that they do not name.
import { execFileSync } from "node:child_process";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { access, incidentId, serviceYaml } from "../harness/builders.ts";
import { isThorough } from "../harness/cases.ts";
import { vendorText, vendorWith } from "../harness/contracts.ts";
import { createWorld, type Setup } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";
import { outputSchema, outputs } from "./output-schemas.ts";

const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const otherId = "7c9e6679-7425-40de-944b-e07fc1f90ae8";
const definition = (more = "") => `id: ${id}
name: Checkout fails
severity: MAJOR
services: [${serviceYaml}]
incidentUpdates: [{ description: We are looking into it., notifySubscribers: true }]
${more}`;
const files = {
  "a.yaml": definition(),
  "other.yaml": definition().replace(id, otherId).replace("Checkout", "Search"),
  "drifted.yaml": definition().replace("MAJOR", "MINOR"),
  "later.yaml": definition()
    .replace("MAJOR", "MINOR")
    .replace("true }]", "true }, { description: Solved., status: RESOLVED }]"),
  "invalid.yaml": definition("severty: MAJOR\n"),
  "warned.yaml": definition().replace("it.", "<no value>"),
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
  "incident-templates/alert.yaml": `when: { status: firing }\nvariables: { status: { otherwise: x } }\n---\n${definition().replace(/^id.*\n/, "")}`,
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

const whole: Setup = { sandbox: { onlySpec: false } };
const lost: Setup = { faults: ["create:no-answer"] };
const created = "create -f a.yaml";
const uncertain = "create -f a.yaml --settle-for 1s";
const pulled = "contract pull --from vendor.json";

/** An output, and the commands of which the last prints it. */
const runs: [output: string, lines: readonly string[], setup?: Setup][] = [
  ["create", [created]],
  ["create", ["create -f a.yaml -f unnamed.yaml --new"]],
  ["create", ["create -f unnamed.yaml --dedup-key a"]],
  ["get", [created, `get ${id}`]],
  ["list", [created, "list"], whole],
  ["update", [created, `update ${id} --status monitoring --severity minor --message Soon.`], whole],
  ["resolve", [created, `resolve ${id} --message Over.`], whole],
  ["resolve", [created, "create -f other.yaml", `resolve ${id} ${otherId} --message Over.`], whole],
  ["preview", [`${created} --dry-run`]],
  ["preview", [`${created} -f other.yaml --dry-run`]],
  ["preview", [created, `update ${id} --message Soon. --severity minor --dry-run`], whole],
  ["preview", [created, `${created} --dry-run`]],
  ["preview", ["create --template alert --var status=resolved --dry-run"]],
  ["apply", ["apply -f a.yaml"]],
  ["apply", ["apply -f a.yaml --dry-run"]],
  ["apply", [created, "apply -f drifted.yaml"]],
  ["apply", [created, "apply -f later.yaml --dry-run"], whole],
  ["apply", [created, "apply -f later.yaml"], whole],
  ["apply", [created, `resolve ${id} --message Over.`, "apply -f a.yaml"], whole],
  ["apply", ["apply -f a.yaml --settle-for 1s"], lost],
  ["validate", ["validate a.yaml"]],
  ["validate", ["validate invalid.yaml"]],
  ["validate", ["validate incident-templates/slow.yaml"]],
  ["validate", ["validate warned.yaml"]],
  ["validate", ["validate unnamed.yaml --fix --assign-ids"]],
  ["doctor", ["doctor"]],
  ["doctor", ["doctor --timeout 1s"], { faults: ["any:no-answer"] }],
  ["journal-list", [created, "journal list"]],
  ["journal-show", [created, `resolve ${id} --message Over.`, `journal show ${id}`], whole],
  ["journal-settle", [uncertain, `journal settle ${id} --not-created --yes`], lost],
  ["journal-init", ["journal init"]],
  ["config-show", ["config show"]],
  ["contract-pull", [pulled]],
  ["contract-check", [pulled, "contract check --from vendor.json"]],
  ["contract-check", [pulled, "contract check --from stricter.json"]],
  ["gate", [created, "gate"]],
  ["gate", [created, "gate"], { faults: ["get#2:503"] }],
  ["open", [`open ${incidentId}`], { env: { INCIDENT_CLI_WEB_URL: "https://app.example.com/{id}" } }],
  ["login", ["login --profile x --api-key-stdin"]],
  ["logout", ["login --profile x --api-key-stdin", "logout --profile x"]],
  ["services-import", [created, `services import ${id} --yes`]],
  ["templates-list", ["templates list"]],
  ["services-list", ["services list"]],
  // On stderr.
  ["warning", ["validate warned.yaml"]],
  ["error", [`get ${incidentId}`]],
  ["error", ["create -f invalid.yaml"]],
  ["error", [uncertain], lost],
  ["error", ["get --no-such-flag"]],
];

/** With a journal in git, which starts many processes. */
const sharedRuns: typeof runs = [
  ["journal-copy", [created, "INCIDENT_CLI_JOURNAL=git+file://FOLDER/shared.git journal copy --to shared"]],
  ["journal-accept", ["create -f a.yaml --yes", "journal accept"]],
];

const allRuns = [...runs, ...sharedRuns];

describe("the schemas of the outputs", () => {
  it.each<(typeof runs)[number]>(isThorough ? allRuns : runs)(
    "%s describes %j",
    async (output, lines, setup = {}) => {
      const world = createWorld({ files, env: { PATH: process.env.PATH ?? "" }, ...setup });
      const repository = `${world.folder}/shared.git`;
      const isShared = output === "journal-accept";
      if (isShared || output === "journal-copy")
        execFileSync("git", ["init", "--quiet", "--bare", repository]);
      let text = "";
      let said = "";
      for (const line of lines) {
        const { stdout, stderr } = await world.run(`${line.replace("FOLDER", world.folder)} -o json`, {
          stdin: `${access.apiKey}\n`,
          env: isShared ? { INCIDENT_CLI_JOURNAL: `git+file://${repository}` } : {},
        });
        said = stderr;
        text = ["error", "warning"].includes(output) ? (stderr.trim().split("\n").at(-1) as string) : stdout;
      }
      expect(text, said).not.toBe("");
      expect(faults(output, text)).toEqual([]);
    },
  );

  it("have the output of every command with -o json", () => {
    const names = specs.flatMap((spec) =>
      spec.name !== "schema" && spec.outputs.includes("json") ? [spec.name.replaceAll(" ", "-")] : [],
    );
    expect([...names, "preview", "warning", "error"].sort()).toEqual(Object.keys(outputs).sort());
  });

  it("describe every output that it names", () => {
    expect([...new Set(allRuns.map(([output]) => output))].sort()).toEqual(Object.keys(outputs).sort());
  });

  it("find a wrong type, a missing field and a field that is not documented", () => {
    const good = { healthy: true, checks: [] };
    expect(faults("doctor", JSON.stringify(good))).toEqual([]);
    expect(faults("doctor", JSON.stringify({ ...good, healthy: "yes" }))).toHaveLength(1);
    expect(faults("doctor", JSON.stringify({ ...good, checks: undefined }))).toHaveLength(1);
    expect(faults("doctor", JSON.stringify({ ...good, more: 1 }))).toHaveLength(1);
  });
});
