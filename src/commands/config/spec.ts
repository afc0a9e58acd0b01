// The command lines and the help of the commands of `incident config`.
import { defineCommand } from "../../kit/define-command.ts";

export const showSpec = defineCommand({
  name: "config show",
  isDefault: true,
  summary: "show every setting, its source, and the values that it overrides",
  flags: {},
  outputs: ["table", "json", "yaml"],
  examples: {
    "incident config show": "what a command would use here",
    "incident config show --profile staging": "and with this profile",
  },
  notes: "A key is shown by its last four characters, and its command is not run.",
});

export const pathSpec = defineCommand({
  name: "config path",
  summary: "print the paths of the settings files",
  flags: {},
  outputs: ["table", "json"],
  examples: { "incident config path": "your file, then the project's" },
});
