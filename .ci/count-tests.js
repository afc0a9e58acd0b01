// Names each failure of a run of `.ci/run`, prints the counts, and exits with 1 if anything failed.
// Usage: node .ci/count-tests.js FOLDER, with `NAME.status` of each part and `NAME.json` of those that ran vitest.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const folder = process.argv[2];
const failures = [];
let passed = 0;
let skipped = 0;
for (const status of readdirSync(folder).filter((file) => file.endsWith(".status"))) {
  const part = status.replace(/\.status$/, "");
  const report = join(folder, `${part}.json`);
  const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
  const before = failures.length;
  for (const { name, status: ofFile, message, assertionResults } of files) {
    const file = `${part}: ${relative(process.cwd(), name)}`;
    const failed = assertionResults.filter((test) => test.status === "failed");
    passed += assertionResults.filter((test) => test.status === "passed").length;
    skipped += assertionResults.filter((test) => test.status !== "passed").length - failed.length;
    failures.push(...failed.map((test) => `${file}: ${test.fullName}\n${test.failureMessages.join("\n")}`));
    // A file that does not load has no tests.
    if (failed.length === 0 && ofFile === "failed") failures.push(`${file}\n${message}`);
  }
  // A part can also fail outside of all tests.
  const exitCode = Number(readFileSync(join(folder, status), "utf8"));
  if (failures.length === before && exitCode !== 0) failures.push(`${part}: exit code ${exitCode}`);
}
for (const failure of failures)
  process.stdout.write(`FAILED ${failure.split("\n").slice(0, 12).join("\n    ")}\n`);
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
