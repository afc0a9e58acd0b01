// Command lines that fail or warn after a request, or in a world that no folder of fixtures/refused has, for the golden file
// of failures: at least one for each kind, command and setting.
import { definitionYaml, incidentId, serviceYaml, unset } from "../harness/builders.ts";
import { contractWith, everyRule } from "../harness/contracts.ts";
import type { Setup } from "../harness/incident.ts";

export interface Scenario extends Setup {
  readonly line: string;
  /** Runs before, in the same world; its output is not shown. */
  readonly before?: string;
}

const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";
const files = {
  "x.yaml": definitionYaml(),
  "id.yaml": definitionYaml({ id }),
  "none/a.yaml": definitionYaml(),
  "large.yaml": " ".repeat(1024 * 1024 + 1),
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
    `apply -f many --confirm sha256:${"0".repeat(64)}`,
    "create -f none",
    "create -f x.yaml --account none",
    "validate large.yaml",
    `get ${incidentId}`,
    `journal show ${incidentId}`,
    `journal settle ${incidentId} --created`,
    "journal list",
    "services list",
    "doctor",
    "list",
  ]),
  ...withFiles(["doctor", "config show"], { env: unset }),
  ...withFiles(["create -f x.yaml"], { env: { INCIDENT_CLI_API_KEY: "two\nlines" } }),
  ...withFiles(["config show"], { ...profile("profiles: [a]\n"), env: unset }),
  ...withFiles(
    ["config show --profile a"],
    profile("profiles:\n  a: { baseUrl: 5, apiKeyCommand: op read x }\nprofiles: {}\n"),
  ),
  ...everyRule.flatMap((body) =>
    withFiles(["validate rules.yaml"], { files: { "incident.contract.json": contractWith(body), ...ruled } }),
  ),
  ...withFiles(["create -f x.yaml --ignore-contract"], { files: { "incident.contract.json": "{" } }),
  ...withFiles(["contract pull --no-project"]),
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
    "create -f many/b.yaml -f edited.yaml",
    "apply -f edited.yaml",
    "apply -f dated.yaml",
    "apply -f solved.yaml",
    "create -f x.yaml",
    `journal settle ${id} --created`,
  ].flatMap((line) => withFiles([line]).map((scenario) => ({ ...scenario, before: "create -f id.yaml" }))),
];
