// Measures `incident validate` with one file and with many, beside `node -e 0`, a loop that only parses the files with
// `yaml`, and ajv-cli with the exported schema: medians of interleaved runs.
// Usage: node test/bench/validate.mjs [files] [runs] [command]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const count = Number(process.argv[2] ?? 10_000);
const runs = Number(process.argv[3] ?? 5);
const command = resolve(process.argv[4] ?? "dist/incident.cjs");
// The variable slows the start of every process on Node 20, also of node -e 0, and would improve the ratios.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
const require = createRequire(import.meta.url);
const ajv = require.resolve("ajv-cli/dist/index.js");
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));

/** About 900 bytes in the style of a person; one in a hundred has an error. */
function definition(number) {
  const id = (start) => `${start}-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const severity = number % 100 === 50 ? "major" : ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"][number % 4];
  const text =
    "We are looking into failed payments, and will say more when we know what they have in common.";
  const styles = [`"${text}"`, text, `'We''re on it. ${text}'`, `>-\n      ${text}\n      ${text}`];
  return `# Declared by the team on call; number ${number}.
id: ${id("7c9e6679")}
name: Checkout fails for some customers in region ${number}
severity: ${severity} # as the runbook says
services:
  - id: ${id("3f2b8c1e")}
    name: Checkout
    accountId: 11111111-2222-4333-8444-555555555555
  - { id: ${id("8a1d3c52")}, name: Public API }
incidentUpdates:
  - status: INVESTIGATING
    description: ${styles[number % 4]}
    publicIncidentUpdateDate: "2026-02-10T07:42:00Z"
    notifySubscribers: true
  - status: MONITORING
    description: |
      The cause is found: an expired certificate between two of our systems.

      You need not do anything.
`;
}

const parseLoop = `
  const { readFileSync, readdirSync } = require("node:fs");
  const { parseDocument } = require(${JSON.stringify(require.resolve("yaml"))});
  for (const name of readdirSync(".")) parseDocument(readFileSync(name, "utf8"));
`;

const data = join(folder, "data");
const schema = join(folder, "schema.json");
const oneCore = availableParallelism() > 1 ? ["taskset", "-c", "0"] : [];
const node = process.execPath;
const many = `${count} files`;
const cases = {
  "node -e 0": [node, "-e", "0"],
  "one file": [node, command, "validate", "incident-1.yaml"],
  [many]: [node, command, "validate", "."],
  [`${many}, one core`]: [...oneCore, node, command, "validate", "."],
  "only parsing, one core": [...oneCore, node, "-e", parseLoop],
  "only parsing": [node, "-e", parseLoop],
  "ajv-cli": [
    ...[node, ajv, "validate", "--spec=draft7", "--strict=false", "--validate-formats=false"],
    ...["--errors=no", "-s", schema, "-d", "*.yaml"],
  ],
};

try {
  mkdirSync(data);
  for (let number = 0; number < count; number += 1)
    writeFileSync(join(data, `incident-${number}.yaml`), definition(number));
  writeFileSync(schema, spawnSync(node, [command, "schema"], { env }).stdout);
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  const exits = {};
  for (let run = 0; run < runs; run += 1) {
    for (const [name, [file, ...args]] of Object.entries(cases)) {
      const start = performance.now();
      const { status, error } = spawnSync(file, args, { env, cwd: data, stdio: "ignore" });
      times[name].push(performance.now() - start);
      if (error !== undefined || status === null) throw error ?? new Error(`${name} was ended`);
      exits[name] = status;
    }
  }
  const bar = 0.9;
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const base = median(times["node -e 0"]);
  console.log(`Node ${process.version}, ${count} files, ${runs} interleaved runs, medians`);
  for (const [name, values] of Object.entries(times)) {
    const ms = median(values);
    const exit = `exit ${exits[name]}`;
    console.log(
      `${name.padEnd(24)} ${ms.toFixed(1).padStart(8)} ms  ${(ms / base).toFixed(2).padStart(6)} ×  ${exit}`,
    );
  }
  const ratio = median(times[many]) / median(times["ajv-cli"]);
  console.log(`${many}: ${ratio.toFixed(2)} × ajv-cli (bar ${bar})`);
} finally {
  rmSync(folder, { recursive: true });
}
