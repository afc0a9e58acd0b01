// The command line and the help of `incident explain`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "explain",
  summary: "explain the code of a diagnostic",
  operands: "[code]",
  completions: "codes",
  flags: {},
  outputs: ["table", "json"],
  examples: [
    { command: "incident explain unknown-severity", summary: "one code, with a wrong and a right example" },
    { command: "incident explain", summary: "every code" },
  ],
});
