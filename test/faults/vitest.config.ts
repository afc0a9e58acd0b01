// Runs test files with one fault in the source; the environment variable FAULT names it.
import { defineConfig } from "vitest/config";
import { faults, withFault } from "./faults.ts";

const root = new URL("../..", import.meta.url).pathname;
const fault = faults.find(({ name }) => name === process.env.FAULT);
if (fault === undefined) throw new Error("FAULT names no fault");

export default defineConfig({
  root,
  plugins: [
    {
      name: "fault",
      enforce: "pre",
      transform: (code, id) => (id === `${root}${fault.file}` ? withFault(fault, code) : undefined),
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    bail: 1,
    testTimeout: 300_000,
    maxWorkers: 1,
    globalSetup: ["test/harness/programs.ts"],
    setupFiles: ["test/harness/clean-environment.ts"],
  },
});
