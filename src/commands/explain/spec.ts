// The command line and the help of `incident explain`.
import { defineCommand } from "../../kit/define-command.ts";

export const spec = defineCommand({
  name: "explain",
  summary: "explain the code of a diagnostic",
  operands: "[code]",
  completions: "codes",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident explain unknown-severity": "one code, with a wrong and a right example",
    "incident explain": "every code",
  },
});
