// The command line and the help of `incident new`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";

export const spec = defineCommand({
  name: "new",
  summary: "write a definition to start from, with a fresh id",
  operands: "[file]",
  completions: "files",
  flags: {
    file: flag.text("-f, --file <path>", "the file to write; -f can be left out", "files"),
  },
  outputs: [],
  examples: {
    "incident new checkout.yaml": "a new file; an existing file is never overwritten",
    "incident new": "to stdout",
  },
});
