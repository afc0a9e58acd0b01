// Prints the count of passed and failed tests of a run of `.ci/run`, and exits with 1 if anything failed.
// Usage: node .ci/count-tests.js FOLDER, with `NAME.status` of each part and `NAME.json` of those that ran vitest.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
let passed = 0;
let failed = 0;
let skipped = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith(".status"))) {
  const report = join(folder, name.replace(/\.status$/, ".json"));
  const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
  let failedHere = 0;
  for (const { status, assertionResults } of files) {
    const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length;
    passed += count("passed");
    skipped += assertionResults.length - count("passed") - count("failed");
    // A file that does not load has no tests.
    failedHere += count("failed") || Number(status === "failed");
  }
  // A part can also fail outside of all tests.
  const exitCode = Number(readFileSync(join(folder, name), "utf8"));
  failed += failedHere || Number(exitCode !== 0);
}
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
