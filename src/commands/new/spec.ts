// The command line and the help of `incident new`.
import { defineCommand } from "../define-command.ts";
import { variableFlags } from "../shared/flag-specs.ts";

export const spec = defineCommand({
  name: "new",
  summary: "write a definition to start from, with a fresh id",
  operands: "[file]",
  completions: "files",
  flags: {
    file: {
      usage: "-f, --file <path>",
      kind: "text",
      summary: "the file to write; -f can be left out",
      completions: "files",
    },
    from: {
      usage: "--from <template>",
      kind: "text",
      summary: "fill a template of this project, with --var and --vars",
      completions: "templates",
    },
    ...variableFlags,
  },
  outputs: [],
  examples: [
    {
      command: "incident new checkout.yaml",
      summary: "a new file; an existing file is never overwritten",
    },
    { command: "incident new", summary: "to stdout" },
    {
      command: "incident new checkout.yaml --from checkout --var region=eu",
      summary: "from a template, to change it before it is declared",
    },
  ],
});
