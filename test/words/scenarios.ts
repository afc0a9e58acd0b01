// Command lines that fail or warn, for the golden file of failures: at least one for each kind, command and setting.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { definitionYaml, incidentId, serviceId, serviceYaml, unset } from "../harness/builders.ts";
import { contractWith, everyRule } from "../harness/contracts.ts";
import type { Setup } from "../harness/incident.ts";

export interface Scenario extends Setup {
  readonly line: string;
  /** Runs before, in the same world; its output is not shown. */
  readonly before?: string;
}

const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";
const project = `services:\n  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }\n`;
const files = {
  "x.yaml": definitionYaml(),
  "id.yaml": definitionYaml({ id }),
  "two.yaml": `${definitionYaml()}---\n${definitionYaml({ name: "Refunds fail" })}`,
  "bad.yaml": definitionYaml({ severity: "HIGH" }),
  "no-catalog.yaml": definitionYaml({ services: "[chekout]" }),
  "other-service.yaml": definitionYaml({ services: `[{ name: Mail, id: ${serviceId} }]` }),
  "no-id.yaml": definitionYaml({ services: "[{ name: Checkout }, { name: Chekout }]" }),
  "loud.yaml": definitionYaml({ incidentUpdates: "[{ description: Down., notifySubscribers: true }]" }),
  "same/a.yaml": definitionYaml({ id }),
  "same/b.yaml": definitionYaml({ id }),
  "none/a.yaml": definitionYaml(),
  "warned.yaml": definitionYaml({
    name: "Checkout #42 fails",
    services: `[${serviceYaml}, ${serviceYaml}]`,
    incidentUpdates: "[{ description: a, status: RESOLVED }, { description: b, status: INVESTIGATING }]",
  }),
  "unusual.yaml": definitionYaml({ name: "“Checkout fails”", created_at: "2206-03-01" }),
  "copy.yaml": definitionYaml({ name: "“Checkout fails”", created_at: "2206-03-01" }),
  "large.yaml": " ".repeat(1024 * 1024 + 1),
  "notes.txt": "hello",
  "many/a.yaml": definitionYaml({ id }),
  "many/b.yaml": definitionYaml({ id: incidentId }),
  "edited.yaml": definitionYaml({ id, severity: "MINOR" }),
  "dated.yaml": definitionYaml({ id, created_at: "2026-11-01" }),
  "solved.yaml": definitionYaml({ id, incidentUpdates: "[{ description: Solved., status: RESOLVED }]" }),
};
const ruled = {
  "rules.yaml": definitionYaml({
    services: `[${serviceYaml}, ${serviceYaml}]`,
    incidentUpdates: "[{ description: a }, { description: b }]",
    duration: "5",
  }),
};
const withFiles = (lines: readonly string[], setup: Setup = {}): Scenario[] =>
  lines.map((line) => ({ line, ...setup, files: { ...files, ...setup.files } }));
const profile = (text: string): Setup => ({ files: { "home/.config/incident-cli/config.yaml": text } });

const repeatedText = `name: Checkout fails
severity: MAJOR
services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]
incidentUpdates:
  - description: &text ${"We are looking into it. ".repeat(1000)}
${"  - description: *text\n".repeat(50)}`;

export const scenarios: readonly Scenario[] = [
  { line: "create -f a.yaml", files: { "a.yaml": repeatedText } },
  {
    line: "validate many",
    files,
    wrapFiles: (disk) => ({
      ...disk,
      openSync: (path, ...more) => {
        if (String(path).endsWith("many/a.yaml")) throw Object.assign(new Error(), { code: "EACCES" });
        return disk.openSync(path, ...more);
      },
    }),
  },
  ...withFiles([
    "create",
    "create -f missing.yaml",
    "create -f loud.yaml --dry-run --confirm sha256:abc",
    `create -f loud.yaml --confirm sha256:${"0".repeat(64)}`,
    `apply -f many --confirm sha256:${"0".repeat(64)}`,
    "validate warned.yaml --strict",
    "validate unusual.yaml copy.yaml --strict",
    "create -f notes.txt",
    "create -f none",
    "create -f bad.yaml",
    "create -f no-catalog.yaml",
    "create -f x.yaml --account none",
    "create -f x.yaml -o curl",
    "create -f x.yaml -o junit",
    "create -f x.yaml --key ' '",
    "create -f two.yaml --key a",
    "create -f id.yaml --key a",
    "create -f two.yaml --name x",
    "create -f x.yaml --severity high",
    "create -f x.yaml --status fixed",
    "create -f x.yaml --name ' '",
    `create -f x.yaml --name ${"x".repeat(256)}`,
    "create -f x.yaml --service checkout",
    "create -f x.yaml --notify --no-notify",
    "create -f x.yaml --started-at yesterday",
    "create -f x.yaml --started-at 2030-01-01T00:00:00Z",
    "create -f x.yaml --timeout soon",
    "create -f x.yaml --timeout 0",
    "create -f x.yaml --var x",
    "create -f x.yaml --vars missing.yaml",
    "create -f x.yaml extra",
    "validate",
    "validate large.yaml",
    "validate missing/",
    "validate 'none/*.json'",
    "validate x.yaml -o xml",
    "apply",
    "apply -f none",
    "apply -f same",
    "get",
    "get 7c9e6679",
    `get ${incidentId}`,
    `get ${incidentId} --wait-for done`,
    `get ${incidentId} --wait-timeout 1m`,
    `get ${incidentId} --watch -o markdown`,
    "journal show 7c9e6679",
    `journal show ${incidentId}`,
    `journal settle ${incidentId} --created`,
    "journal list",
    "services list",
    "services import 7c9e6679",
    "completion tcsh",
    "login",
    "logout --profile nowhere",
    "new x.yaml",
    "sandbox --fault create:explode -- incident get x",
    "sandbox --rate fast -- incident get x",
    "help nonsense",
    "frobnicate",
    "doctor",
    "update",
    "delete",
    "list",
    "create --title x",
    "create --api-key x",
  ]),
  ...withFiles(
    [
      "validate incident-templates",
      "create --template down",
      "create --template dwon",
      "create --template down --var region=asia",
      "create --template alert",
      "create --template alert --var status=firing --var level=page",
      "create --template alert --var status=firing --var groupKey=a --var level=info",
      "create --template lossy --var status=firing",
      "create --template mapped --var level=info",
      "create --template alert --var status=resolved",
      "create --template alert --vars -",
      "create --template alert --vars page.html",
      "create -f x.yaml --template down",
      "create -f incident-templates/down.yaml",
      "create -f - --vars -",
      "templates down",
    ],
    {
      files: {
        ".incident.yaml": project,
        "page.html": "<html>",
        "incident-templates/down.yaml": `variables:\n  region: { values: { eu: Europe, us: America } }\n---\n${definitionYaml({ name: "${region}" })}`,
        "incident-templates/rule.yaml": `when: { status: firing }\ndedupKey: "\${groupKey}"\nvariables: {}\n---\n${definitionYaml({ id: incidentId })}`,
        "incident-templates/ended.yaml": `resolve: { when: { status: resolved } }\nvariables: {}\n---\n${definitionYaml()}`,
        "incident-templates/alert.yaml": `when: { status: firing }\ndedupKey: "\${groupKey}"\nstartedAt: at\nvariables:\n  level: { values: { page: CRITICAL }, otherwise: MINOR }\n---\n${definitionYaml({ severity: "${level}" })}`,
        "incident-templates/lossy.yaml": `when: { status: firing }\nvariables:\n  level: { values: { page: CRITICAL } }\n  text: { otherwise: "\${title}" }\n---\n${definitionYaml({ name: "${text}", severity: "${level}" })}`,
        "incident-templates/mapped.yaml": `variables:\n  level: { values: { page: CRITICAL } }\n---\n${definitionYaml({ severity: "${level}" })}`,
        "incident-templates/listed.yaml": `variables: [region]\n---\n${definitionYaml()}`,
        "incident-templates/wrong.yaml": `variables:\n  a:\n  b: { otherwise: MAYOR }\n  c: { values: { x: y } }\n---\n${definitionYaml({ name: "${d} ${b} ${c}" })}`,
      },
      stdin: "",
    },
  ),
  ...withFiles(["validate bold.yaml", "create -f x.yaml --no-project"], {
    files: {
      ".incident.yaml": `${project}policy:\n  notify: [CRITICAL]\n  name: { forbid: [TODO] }\n  leaks: forbid\n`,
      "bold.yaml": definitionYaml({
        name: "TODO",
        services: "[{ name: Mail, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6e }]",
        incidentUpdates: "[{ description: Solved on 10.0.0.7., status: RESOLVED, notifySubscribers: true }]",
      }),
    },
  }),
  ...withFiles(["create -f x.yaml", `get ${incidentId}`, "doctor", "config show"], { env: unset }),
  ...[
    { INCIDENT_CLI_BASE_URL: "api.example.com" },
    { INCIDENT_CLI_BASE_URL: "http://api.example.com" },
    { INCIDENT_CLI_BASE_URL: "https://api.example.com/?x=1" },
    { INCIDENT_CLI_API_KEY: "two\nlines" },
    { INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_API_KEY_FILE: "missing.key" },
    { INCIDENT_CLI_ACCOUNT_ID: "acme" },
    { INCIDENT_CLI_PROFILE: "nowhere" },
  ].flatMap((env) => withFiles(["create -f x.yaml"], { env })),
  ...withFiles(["config show"], { ...profile("profiles: [a]\n"), env: unset }),
  ...withFiles(
    ["config show --profile a"],
    profile("profiles:\n  a: { baseUrl: 5, apiKeyCommand: op read x }\nprofiles: {}\n"),
  ),
  ...withFiles(["services list"], { files: { ".incident.yaml": "apiKey: secret\n" } }),
  ...withFiles(["validate x.yaml"], { files: { ".incident.yaml": "policy: { leaks: maybe }\n" } }),
  ...withFiles(["services list"], { files: { ".incident.yaml": "services: [checkout]\n" } }),
  ...withFiles(["create -f no-catalog.yaml", "validate other-service.yaml", "validate no-id.yaml"], {
    files: { ".incident.yaml": project },
  }),
  ...everyRule.flatMap((body) =>
    withFiles(["validate rules.yaml"], { files: { "incident.contract.json": contractWith(body), ...ruled } }),
  ),
  ...["{", "{}", contractWith({ $ref: "#/x" }), contractWith({ pattern: "(a)\\1" })].flatMap((contract) =>
    withFiles(["create -f x.yaml"], { files: { "incident.contract.json": contract } }),
  ),
  ...withFiles(["create -f x.yaml --ignore-contract"], { files: { "incident.contract.json": "{" } }),
  ...withFiles(["contract check", "contract pull --no-project", "contract pull --from x.yaml"]),
  ...withFiles(["sandbox --fault create:explode -- incident get x"]),
  ...["401", "403", "404", "429", "500", "503", "drop-before-commit", "drop-after-commit"].flatMap((fault) =>
    withFiles(["create -f id.yaml --settle-for 1s", "apply -f id.yaml"], { faults: [`create:${fault}`] }),
  ),
  ...["401", "403", "429", "500", "drop-before-commit"].flatMap((fault) =>
    withFiles([`get ${incidentId}`], { faults: [`get:${fault}`] }),
  ),
  ...withFiles(["apply -f many"], { faults: ["create#2:404"] }),
  ...[
    `get ${id} --wait-for resolved --wait-timeout 10s`,
    "gate",
    "gate --severity critical",
    "create -f edited.yaml",
    "apply -f edited.yaml",
    "apply -f dated.yaml",
    "apply -f solved.yaml",
    "create -f x.yaml",
    `journal settle ${id} --created`,
  ].flatMap((line) => withFiles([line]).map((scenario) => ({ ...scenario, before: "create -f id.yaml" }))),
];
