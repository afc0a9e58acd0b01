// The command line and the help of `incident new`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { variableFlags } from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "new",
  summary: "write a definition to start from, with a fresh id",
  operands: "[file]",
  completions: "files",
  flags: {
    file: flag.text("-f, --file <path>", "the file to write; -f can be left out", "files"),
    from: flag.text(
      "--from <template>",
      "fill a template of this project, with --var and --vars",
      "templates",
    ),
    ...variableFlags,
  },
  outputs: [],
  examples: {
    "incident new checkout.yaml": "a new file; an existing file is never overwritten",
    "incident new": "to stdout",
    "incident new checkout.yaml --from checkout --var region=eu":
      "from a template, to change it before it is declared",
  },
});
