// The command lines and the help of the commands of `incident config`.
import { defineCommand } from "../define-command.ts";

export const showSpec = defineCommand({
  name: "config show",
  summary: "every setting, where it came from and what it overrode",
  flags: {},
  outputs: ["table", "json", "yaml"],
  examples: [
    { command: "incident config show", summary: "what a command would use here" },
    { command: "incident config show --profile staging", summary: "and with this profile" },
  ],
  notes: "A key is shown by its last four characters, and its command is not run.",
});

export const pathSpec = defineCommand({
  name: "config path",
  summary: "the files that settings are read from",
  flags: {},
  outputs: ["table", "json"],
  examples: [{ command: "incident config path", summary: "your file, then the project's" }],
});
