// What is mutated, and which tests have to notice it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const root = process.cwd();

/**
 * Not mutated: what these get wrong is a text or a proposal, is slow, or shows at once, and never sends a second create.
 */
const unmutated = new Set([
  "src/delivery/delivery-failures.ts",
  "src/delivery/batch/batch-failure.ts",
  "src/delivery/batch/similar-incidents.ts",
  "src/delivery/open-delivery.ts",
  "src/delivery/consent/previews.ts",
  "src/journal/check-state.ts",
  "src/journal/firings.ts",
  "src/journal/journal-errors.ts",
  "src/journal/open-state.ts",
  "src/journal/open-store.ts",
  "src/journal/sent/recent-ids.ts",
  "src/journal/sent-creates.ts",
  "src/journal/subject-index.ts",
]);

/** Not mutated: lines of other files that are about the pace, the size of what is kept, or a text. */
export const unmutatedLines: ReadonlyMap<string, RegExp> = new Map([
  ["src/delivery/apply.ts", /capacity|largest|hint/],
  ["src/delivery/read-back.ts", /pauses|shortestRead|const left = \(\)/],
  ["src/delivery/attempt.ts", /longestMessage|largestIncident/],
  ["src/delivery/consent/digest.ts", /more|show|changed|lines|leaves|Array|Map|typeof value/],
  ["src/journal/claims.ts", /longestLog/],
  ["src/journal/journal.ts", /readsAtOnce|fraction|localeCompare/],
]);

/** Of the shared journals, the files that decide; the others run programs and connections, which take long to test. */
const engineFiles = new Set([
  "src/journal/git/store.ts",
  "src/journal/git/event-commit.ts",
  "src/journal/git/bucket-layout.ts",
  "src/journal/git/old-layout.ts",
  "src/journal/postgres/store.ts",
  "src/journal/postgres/shared-rate.ts",
]);

/** Pure decisions: a mutant of these dies in the simulation, not only in a unit test. */
export const coreFiles: ReadonlySet<string> = new Set([
  "src/delivery/next-step.ts",
  "src/journal/client-ids.ts",
  "src/delivery/wait-for-sender.ts",
  "src/journal/fold.ts",
]);

const testFolders = ["test/delivery", "test/journal", "test/commands"];
const otherTests = [
  "test/hostile-answers.test.ts",
  "test/pipelines.test.ts",
  "test/untrusted-names.test.ts",
  // Of the shared journals; only their own mutants run them.
  "test/journal/git/journal.slow.test.ts",
  "test/journal/postgres/refusals.slow.test.ts",
];

/** Tests that start processes of their own, in which no mutant is active, and those of the second model of the protocol. */
const leftOut = /check-state\.test\.ts$|\/histories\//;

/** The text of each mutated file. */
export function mutatedSources(): ReadonlyMap<string, string> {
  const files = ["src/delivery", "src/journal"]
    .flatMap(filesIn)
    .filter(
      (file) =>
        !file.endsWith(".d.ts") &&
        !unmutated.has(file) &&
        (!/\/(git|postgres)\//.test(file) || engineFiles.has(file)),
    );
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

export function testFiles(): readonly string[] {
  const isFast = (file: string) => /(?<!\.slow)\.test\.ts$/.test(file) && !leftOut.test(file);
  return [...testFolders.flatMap(filesIn).filter(isFast), ...otherTests];
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** The name of the bundle's part for a test file. */
export function chunkName(file: string): string {
  return file.replaceAll("/", "-").replace(/\.ts$/, "");
}
