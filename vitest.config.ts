import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, before all other slow ones. A new checkout has no times of earlier runs. */
const longest = [
  // First, in a new worker: harness/steps.ts counts only functions that no other file has run.
  "linear-time.slow",
  "journal/git/journal.slow",
  "built/runbook.slow",
  "pipeline-runs.slow",
  "delivery/processes.slow",
  "delivery/drill/drill.slow",
  "sandbox/status-page-browser.slow",
  "terminal/screen.slow",
  "terminal/login.slow",
  "terminal/shells.slow",
  "simulation/simulation.slow",
  "built/alert-recipes.slow",
  "source/large-files.slow",
  "journal/git/link.slow",
  "terminal/create.slow",
  "examples.slow",
  "simulation/mutants.slow",
  "journal/postgres/sequences.slow",
  "built/edges.slow",
  "built/image.slow",
  "built/command.slow",
  "service/life/runners.slow",
  "canary",
  "journal/folder/private-files",
  "http/body",
  "http/unanswered",
  "commands/templates/alert-bodies",
  "delivery/answers/answers",
  "words/words",
];

/** Starts the slow files first, so that no worker is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      const isSlow = moduleId.includes(".slow.");
      return at === -1 ? longest.length + Number(!isSlow) : at;
    };
    const projectOf = ({ project }: TestSpecification) => project.name;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => projectOf(a).localeCompare(projectOf(b)) || place(a) - place(b));
  }
}

const isSlowIncluded = process.env.INCIDENT_TEST_SLOW === "included";

/** What the projects share. Inherited, `maxWorkers` would be stronger than the flag of the command line. */
const shared = {
  // Ends a hang. No test has an opinion about time.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 200_000 } },
  // Modules hold no state, so the files of a worker share them: a quarter less CPU time.
  isolate: false,
  globalSetup: ["test/harness/programs.ts"],
  setupFiles: ["test/harness/clean-environment.ts"],
};

// `npm test` runs the project `fast`, `npm run test:slow` the project `slow`. `.ci/run` includes the slow tests in the
// project `fast`, because a worker keeps its modules for the files of one project.
const projects = isSlowIncluded
  ? { fast: "test/**/*.test.ts" }
  : { fast: "test/**/!(*.slow).test.ts", slow: "test/**/*.slow.test.ts" };

export default defineConfig({
  test: {
    // More than the cores, because slow tests wait for a server or a process. Each worker loads all modules once.
    maxWorkers: availableParallelism() + (isSlowIncluded ? 2 : 1),
    sequence: { sequencer: LongestFirst },
    // Keeps the transformed modules, by their content, for the next run.
    experimental: { fsModuleCache: true },
    projects: Object.entries(projects).map(([name, file]) => ({
      test: { ...shared, name, include: [file] },
    })),
  },
});
