// The command line and the help of `incident doctor`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "doctor",
  summary: "check settings, connection, key and the service's contract",
  flags: {},
  outputs: ["table", "json"],
  examples: [
    { command: "incident doctor", summary: "one line for each check, with its fix" },
    { command: "incident doctor -o json", summary: "for a script; exits 0 only if every check passes" },
  ],
});
