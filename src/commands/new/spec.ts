// The command line and the help of `incident new`.
import { defineCommand } from "../define-command.ts";

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
  },
  outputs: [],
  examples: [
    {
      command: "incident new checkout.yaml",
      summary: "a new file; an existing file is never overwritten",
    },
    { command: "incident new", summary: "to stdout" },
  ],
});
