// The command line and the help of `incident apply`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { confirmFlags, definitionFlags, emergencyFlags, exclusiveConfirm } from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "apply",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    file: {
      ...definitionFlags.file,
      summary: "a folder or a YAML file of definitions, each with an id (repeatable)",
    },
    dryRun: flag.switch("--dry-run", "print the plan and send nothing"),
    reopen: flag.switch("--reopen", "post updates to an incident that is resolved meanwhile"),
    force: flag.switch("--force", "write name, severity and services over what somebody changed"),
    maxChanges: flag.count(
      "--max-changes <count>",
      "send more creates, updates and edits than this only with --yes (default: 10)",
    ),
    recreate: flag.switch(
      "--recreate",
      "declare an incident again that was declared from here and no longer exists",
    ),
    allowDrift: flag.switch("--allow-drift", "permit differences that stay, which are else exit code 11"),
    ...confirmFlags,
    ...emergencyFlags,
  },
  exclusive: [exclusiveConfirm],
  result: "plan",
  examples: {
    "incident apply -f incidents/ --dry-run": "what would be sent",
    "incident apply -f incidents/ --dry-run -o markdown": "the same, for the comment of a pull request",
    "incident apply -f incidents/": "declare what is missing, and post what was added",
    "incident apply -f incidents/ -R --allow-drift": "leave differences as they are",
  },
  notes:
    "A definition is a timeline, the oldest update first. An update that is added at its end is posted, and a name, a severity or services that are changed in it are edited, where the service's document describes how. Every definition needs an id: incident validate --fix --assign-ids adds the missing ones.",
});
