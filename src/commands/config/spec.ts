// The command line and the help of `incident config show`.
import { defineCommand } from "../../kit/define-command.ts";

export const showSpec = defineCommand({
  name: "config show",
  isDefault: true,
  summary: "show every setting, its source, the values that it overrides, and the settings files",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident config show": "what a command would use here",
    "incident config show --profile staging": "and with this profile",
  },
  notes: "A key is shown by its last four characters, and its command is not run.",
});
