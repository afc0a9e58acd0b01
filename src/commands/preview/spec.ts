// The command line and the help of `incident preview`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags } from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "preview",
  summary: "draw the status page as customers would see it, and declare nothing",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    open: flag.switch("--open", "open the page in a browser, in place of stdout"),
  },
  outputs: [],
  examples: {
    "incident preview -f checkout.yaml > page.html": "as a file",
    "incident preview -f checkout.yaml --open": "in your browser",
  },
});
