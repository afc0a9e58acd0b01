// The command line and the help of `incident doctor`.
import { defineCommand } from "../../kit/define-command.ts";

export const spec = defineCommand({
  name: "doctor",
  summary: "check settings, connection, key and the service's contract",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident doctor": "one line for each check, with its fix",
    "incident doctor -o json": "for a script; exits 0 only if every check passes",
  },
});
