// The command line and the help of `incident preview`.
import { defineCommand } from "../define-command.ts";
import { definitionFlags } from "../shared/flag-specs.ts";

export const spec = defineCommand({
  name: "preview",
  summary: "draw the status page as customers would see it, and declare nothing",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    out: {
      usage: "--out <file>",
      kind: "text",
      summary: "write the page here (default: to stdout)",
      completions: "files",
    },
    force: {
      usage: "--force",
      kind: "switch",
      summary: "let --out replace a file that incident preview did not write",
    },
    open: { usage: "--open", kind: "switch", summary: "open the page in a browser" },
  },
  outputs: [],
  examples: [
    { command: "incident preview -f checkout.yaml > page.html", summary: "as a file" },
    { command: "incident preview -f checkout.yaml --open", summary: "in your browser" },
  ],
});
