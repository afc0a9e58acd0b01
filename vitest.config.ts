import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, in part because they wait. A new checkout has no times of earlier runs. */
const longest = [
  // First, in a new worker: harness/steps.ts counts only functions that no other file has run.
  "linear-time.slow",
  "simulation/simulation.slow",
  "journal/git/journal.slow",
  "journal/git/link.slow",
  "pipeline-runs.slow",
  "service/life/runners.slow",
  "examples.slow",
  "faults/faults.slow",
  "delivery/drill/drill.slow",
  "built/runbook.slow",
  "delivery/changes/timeline-drill.slow",
  "delivery/processes.slow",
  "simulation/simulation",
  "canary",
  "delivery/endings",
  "commands/apply/timeline",
  "delivery/crashes/crash",
  "delivery/crashes/power-loss",
  "commands/templates/alert-bodies",
  "commands/apply/apply",
  "hostile-answers",
  "built/budget",
  "delivery/batch/open-look",
  "delivery/waits",
  "journal/postgres/commands",
  "commands/schema/schema",
  "words/words",
];

/** Starts the longest files first, so that no worker is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? longest.length : at;
    };
    const projectOf = ({ project }: TestSpecification) => project.name;
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => projectOf(a).localeCompare(projectOf(b)) || place(a) - place(b));
  }
}

/** What the projects share. Inherited, `maxWorkers` would be stronger than the flag of the command line. */
const shared = {
  // Ends a hang. No test has an opinion about time.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Modules hold no state, so the files of a worker share them: a quarter less CPU time.
  isolate: false,
  globalSetup: ["test/harness/programs.ts"],
  setupFiles: ["test/harness/clean-environment.ts"],
};

// `npm test` runs the project `fast`, `npm run test:slow` the project `slow`. `.ci/run` includes the slow tests in the
// project `fast`, because a worker keeps its modules for the files of one project.
const projects =
  process.env.INCIDENT_TEST_SLOW === "included"
    ? { fast: "test/**/*.test.ts" }
    : { fast: "test/**/!(*.slow).test.ts", slow: "test/**/*.slow.test.ts" };

export default defineConfig({
  test: {
    // Two more than the cores, because many tests wait for a server or a process.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Keeps the transformed modules, by their content, for the next run.
    experimental: { fsModuleCache: true },
    projects: Object.entries(projects).map(([name, file]) => ({
      test: { ...shared, name, include: [file] },
    })),
  },
});
