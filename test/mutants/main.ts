// `npm run mutants -- [OPTION …]`: mutates the delivery code, and counts what the tests and the simulation notice. A run
// that was stopped goes on where it was. A complete one rewrites results.txt.
// --only FILE, --since REV, --survivors, --sample N: fewer mutants; --survivors takes those that were judged and not killed.
// --tests REGEXP: fewer test files. --simulation: none of them; keeps only what the simulation notices.
// --faults: only the list of faults, or with --only TEXT those whose names have it. --record: runs nothing, and writes the latest verdicts to results.txt.
// --minutes N, --workers N. --budget S: a mutant that survives S seconds of tests, 3 by default, counts as a survivor, so
// that the score is a lower bound.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Engine, engineOf, measureUnits } from "./baseline.ts";
import { bundleTests } from "./bundle.ts";
import { refusedByCompiler } from "./compile.ts";
import { faults } from "./faults.ts";
import { instrumentAll, type Mutant } from "./instrument.ts";
import { renderResults } from "./results.ts";
import { type FaultVerdict, runFault } from "./run-faults.ts";
import { runMutants, type Verdict } from "./run-mutants.ts";
import { mutatedSources, root, testFiles } from "./selection.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    sample: { type: "string", default: "1" },
    since: { type: "string" },
    survivors: { type: "boolean", default: false },
    budget: { type: "string", default: "3" },
    faults: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    simulation: { type: "boolean", default: false },
    tests: { type: "string", default: "" },
    minutes: { type: "string", default: "600" },
    workers: { type: "string", default: "2" },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);
const workers = Number(values.workers);
const cache = join(root, "node_modules/.mutants");
const lastFile = join(cache, "last.jsonl");
const resultsFile = join(root, "test/mutants/results.txt");

const sources = mutatedSources();
const instrumented = instrumentAll(sources);
const all = [...instrumented.values()].flatMap(({ mutants }) => mutants);
const refused = refusedMutants();
const counted = all.filter(({ name }) => !refused.has(name));
const last = new Map(readVerdicts(lastFile).map((verdict) => [verdict.name, verdict]));
if (values.record) {
  record(last, lastFaults());
  process.exit();
}
const folder = await bundleIntoCache();

const verdictFile = join(folder, "verdicts.jsonl");
const verdicts = new Map(readVerdicts(verdictFile).map((verdict) => [verdict.name, verdict]));
const chosen = counted.filter(isChosen);
const needsEngine = (engine: Engine) => values.faults || chosen.some(({ file }) => engineOf(file) === engine);
const units = await measureUnits({
  folder,
  workers,
  files: values.simulation ? [] : testFiles().filter((file) => new RegExp(values.tests).test(file)),
  needsEngine,
  print,
});
print(`${counted.length} mutants that the compiler takes, ${units.length} tests and scenarios`);
const todo = chosen.filter(({ name }) => !verdicts.has(name));
const began = Date.now();
let done = 0;
const isOver = () => Date.now() - began > Number(values.minutes) * 60_000;
if (!values.faults)
  await runMutants(
    { folder, units, all, last, workers, budget: 1000 * Number(values.budget), isOver, onVerdict },
    todo,
  );
const judged = chosen.filter(({ name }) => verdicts.has(name));
const isComplete = judged.length === counted.length;
const noticed = values.faults || isComplete ? await runFaults() : [];
if (isComplete) record(verdicts, noticed);
else print(renderResults(values.faults ? [] : chosen, refused.size, verdicts, noticed));
if (judged.length < chosen.length && !values.faults)
  print(`stopped: run it again for the other ${chosen.length - judged.length}`);
print(`${Math.round((Date.now() - began) / 1000)} s`);

/** The names of the mutants that the compiler refuses; asked again only after a change of the source. */
function refusedMutants(): ReadonlySet<string> {
  const digest = createHash("sha256");
  for (const file of filesIn("src")) digest.update(file).update(readFileSync(join(root, file)));
  for (const { name } of all) digest.update(name);
  const file = join(cache, `refused-${digest.digest("hex").slice(0, 16)}.json`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(file, JSON.stringify([...refusedByCompiler(all, sources)]));
  }
  return new Set(JSON.parse(readFileSync(file, "utf8")));
}

async function runFaults(): Promise<readonly FaultVerdict[]> {
  const found: FaultVerdict[] = [];
  for (const fault of faults.filter(({ file, name }) => isNamed(file) || isNamed(name))) {
    const verdict = await runFault(fault, cache, all, units);
    print(`${verdict.by === undefined ? "NOT NOTICED" : "noticed"}: ${fault.name}`);
    found.push(verdict);
  }
  const isFoundNow = (name: string) => found.some((verdict) => verdict.name === name);
  return [...lastFaults().filter(({ name }) => !isFoundNow(name)), ...found];
}

/** The verdict in the results of each fault that is still in the list. */
function lastFaults(): readonly FaultVerdict[] {
  const known = [...readFileSync(resultsFile, "utf8").matchAll(/^fault: (.*)\n {4}(.*)$/gm)];
  return known
    .map(([, name = "", by]) => ({ name, by: by === "not noticed" ? undefined : by }))
    .filter(({ name }) => faults.some((fault) => fault.name === name));
}

function isNamed(text: string): boolean {
  return values.only === undefined || values.only.some((part) => text.includes(part));
}

function record(latest: ReadonlyMap<string, Verdict>, found: readonly FaultVerdict[]): void {
  const results = renderResults(counted, refused.size, latest, found);
  print(results);
  writeFileSync(resultsFile, results);
}

/** Named by everything that a verdict depends on. */
async function bundleIntoCache(): Promise<string> {
  const digest = createHash("sha256");
  for (const file of ["src", "test", "fixtures"].flatMap(filesIn).filter((name) => !isTool(name)))
    digest.update(file).update(readFileSync(join(root, file)));
  for (const { code } of instrumented.values()) digest.update(code);
  const named = join(cache, digest.digest("hex").slice(0, 16));
  await bundleTests(instrumented, named);
  return named;
}

function isTool(file: string): boolean {
  return file.startsWith("test/mutants/") && !/(registry|selection|units)\.ts$/.test(file);
}

function onVerdict({ line }: Mutant, verdict: Verdict): void {
  if (values.simulation && verdict.end !== "killed") {
    print(`${verdict.end} in the simulation: line ${line}: ${verdict.name}`);
    return;
  }
  verdicts.set(verdict.name, verdict);
  for (const file of [verdictFile, lastFile]) appendFileSync(file, `${JSON.stringify(verdict)}\n`);
  done += 1;
  if (verdict.end !== "killed") print(`${verdict.end}: line ${line}: ${verdict.name}`);
  if (done % 100 === 0) print(`${done} of ${todo.length}, ${Math.round((Date.now() - began) / 1000)} s`);
}

function filesIn(top: string): readonly string[] {
  const entries = readdirSync(join(root, top), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

function readVerdicts(file: string): readonly Verdict[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function isChosen({ file, name, number }: Mutant): boolean {
  if (number % Number(values.sample) !== 0) return false;
  if (!isNamed(file)) return false;
  if (values.since !== undefined && !changedFiles(values.since).has(file)) return false;
  return !values.survivors || (last.has(name) && last.get(name)?.end !== "killed");
}

function changedFiles(revision: string): ReadonlySet<string> {
  const names = execFileSync("git", ["diff", "--name-only", revision, "--", "src"], { encoding: "utf8" });
  return new Set(names.split("\n"));
}
