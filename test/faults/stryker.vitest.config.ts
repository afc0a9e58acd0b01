// The tests that notice a mutant of the delivery or the journal (stryker.config.json).
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/{delivery,journal}/**/*.test.ts",
      "test/commands/{apply,update}/**/*.test.ts",
      "test/simulation/simulation.test.ts",
    ],
    exclude: ["test/**/*.slow.test.ts", "test/**/check-state.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ["test/harness/programs.ts"],
    setupFiles: ["test/harness/clean-environment.ts"],
  },
});
