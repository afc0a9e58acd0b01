import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// `npm test` runs the project `fast`, `npm run test:slow` the project `slow`.
export default defineConfig({
  test: {
    // Ends a hang. No test has an opinion about time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Two more than the cores, because many tests wait for a server or a process.
    maxWorkers: availableParallelism() + 2,
    // Modules hold no state, so the files of a worker share them: a quarter less CPU time.
    isolate: false,
    globalSetup: ["test/harness/programs.ts"],
    setupFiles: ["test/harness/clean-environment.ts"],
    projects: [
      {
        extends: true,
        test: { name: "fast", include: ["test/**/*.test.ts"], exclude: ["test/**/*.slow.test.ts"] },
      },
      { extends: true, test: { name: "slow", include: ["test/**/*.slow.test.ts"] } },
    ],
  },
});
