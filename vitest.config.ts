import { defineConfig } from "vitest/config";

// `npm test` runs the project `fast`, `npm run test:slow` the project `slow`.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The default leaves one core to the terminal.
    maxWorkers: "100%",
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
