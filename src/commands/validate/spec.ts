// The command line and the help of `incident validate`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags } from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "validate",
  summary: "check files, offline and without a key",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    for: flag.choice(
      "--for <command>",
      "also check the rules of this command: apply needs an id in each definition",
      ["create", "apply"],
    ),
    strict: flag.switch("--strict", "fail on warnings as well"),
    fix: flag.switch("--fix", "correct errors that have only one correction"),
    assignIds: flag.switch("--assign-ids", "with --fix: give a fresh id to each definition that has none"),
  },
  outputs: ["text", "json", "github", "junit"],
  examples: {
    "incident validate checkout.yaml": "check one file",
    "incident validate incidents/ -R": "check every definition in a folder and its sub-folders",
    "incident validate incidents/ -R --for apply": "also report what only apply refuses",
    "incident validate incidents/ -o github": "as annotations of a GitHub Actions run",
    "incident validate incidents/ --fix --assign-ids": "correct what can be corrected automatically",
  },
  notes:
    "--fix corrects the letter case of severities and statuses, and characters that only look right outside of texts:\n" +
    "no-break and invisible spaces, full-width colons and commas, dashes in an id, typographic quotes around a value.\n" +
    "Comments, order and texts stay as they are.",
});
