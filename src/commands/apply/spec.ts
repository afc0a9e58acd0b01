// The command line and the help of `incident apply`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { confirmFlags, contractFlags, definitionFlags, policyFlags } from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "apply",
  summary: "declare the definitions in a folder that have no incident yet",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    file: {
      ...definitionFlags.file,
      summary: "a folder or a YAML file of definitions, each with an id (repeatable)",
    },
    dryRun: flag.switch("--dry-run", "print the plan and declare nothing"),
    maxCreates: flag.count("--max-creates <count>", "declare more than this only with --yes (default: 10)"),
    recreate: flag.switch(
      "--recreate",
      "declare an incident again that was declared from here and no longer exists",
    ),
    failOnDrift: flag.switch(
      "--fail-on-drift",
      "exit with 11 if a live incident differs from its definition",
    ),
    noRefresh: flag.switch(
      "--no-refresh",
      "do not read incidents that the journal knows as declared; say how many",
    ),
    failFast: flag.switch("--fail-fast", "declare nothing more after a failure"),
    concurrency: flag.count(
      "--concurrency <count>",
      "the number of incidents to read or declare in parallel (default: 16)",
    ),
    noCiReport: flag.switch(
      "--no-ci-report",
      "in GitHub Actions and GitLab, write no summary, outputs or report",
    ),
    ...confirmFlags,
    ...contractFlags,
    ...policyFlags,
  },
  outputs: ["table", "json", "yaml", "id"],
  examples: {
    "incident apply -f incidents/ --dry-run": "what would be declared",
    "incident apply -f incidents/": "declare what is missing",
    "incident apply -f incidents/ -R --fail-on-drift": "also fail if a live incident differs",
  },
  notes: "Every definition needs an id: incident validate --fix --assign-ids adds the missing ones.",
});
