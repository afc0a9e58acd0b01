// The command line and the help of `incident completion`.
import { defineCommand } from "../../kit/define-command.ts";

export const shells = ["bash", "zsh", "fish"] as const;

export const spec = defineCommand({
  name: "completion",
  summary: "print the completion script of a shell",
  operands: "<shell>",
  completions: shells,
  flags: {},
  outputs: ["text"],
  examples: {
    'eval "$(incident completion bash)"': "in ~/.bashrc",
    "incident completion zsh > ~/.zfunc/_incident": "into a folder of your fpath",
    "incident completion fish > ~/.config/fish/completions/incident.fish": "into the folder that fish reads",
  },
  notes:
    "It completes commands, flags, their values, profiles, services of the catalog and ids of the journal.",
});
