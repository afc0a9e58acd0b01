// The command line and the help of `incident validate`.
import { defineCommand } from "../define-command.ts";
import { definitionFlags } from "../shared/flag-specs.ts";

export const spec = defineCommand({
  name: "validate",
  summary: "check files, offline and without a key",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    for: {
      usage: "--for <command>",
      kind: "text",
      summary: "also check the rules of this command: apply needs an id in each definition",
      choices: ["create", "apply"],
    },
    strict: { usage: "--strict", kind: "switch", summary: "fail on warnings as well" },
    fix: { usage: "--fix", kind: "switch", summary: "correct errors that have only one correction" },
    assignIds: {
      usage: "--assign-ids",
      kind: "switch",
      summary: "with --fix: give a fresh id to each definition that has none",
    },
  },
  outputs: ["text", "json", "github", "sarif", "junit"],
  examples: [
    { command: "incident validate checkout.yaml", summary: "check one file" },
    {
      command: "incident validate incidents/ -R",
      summary: "check every definition in a folder and its sub-folders",
    },
    {
      command: "incident validate incidents/ -R --for apply",
      summary: "also report what only apply refuses",
    },
    {
      command: "incident validate incidents/ -o github",
      summary: "as annotations of a GitHub Actions run",
    },
    {
      command: "incident validate incidents/ --fix --assign-ids",
      summary: "correct what can be corrected automatically",
    },
  ],
  notes:
    "--fix corrects the letter case of severities and statuses, and characters that only look right outside of texts:\n" +
    "no-break and invisible spaces, full-width colons and commas, dashes in an id, typographic quotes around a value.\n" +
    "Comments, order and texts stay as they are.",
});
