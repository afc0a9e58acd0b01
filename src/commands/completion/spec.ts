// The command line and the help of `incident completion`.
import { defineCommand } from "../define-command.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export const spec = defineCommand({
  name: "completion",
  summary: "print the completion script of a shell",
  operands: "<shell>",
  completions: shells,
  flags: {},
  outputs: ["text"],
  examples: [
    { command: 'eval "$(incident completion bash)"', summary: "in ~/.bashrc" },
    { command: "incident completion zsh > ~/.zfunc/_incident", summary: "into a folder of your fpath" },
    {
      command: "incident completion fish > ~/.config/fish/completions/incident.fish",
      summary: "into the folder that fish reads",
    },
    { command: "incident completion powershell >> $PROFILE", summary: "into the profile of PowerShell" },
  ],
  notes:
    "It completes commands, flags, their values, profiles, services of the catalog and ids of the journal.",
});
