// The command line and the help of `incident apply`.
import { defineCommand } from "../define-command.ts";
import { confirmFlags, contractFlags, definitionFlags, policyFlags } from "../shared/flag-specs.ts";

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
    dryRun: { usage: "--dry-run", kind: "switch", summary: "print the plan and declare nothing" },
    maxCreates: {
      usage: "--max-creates <count>",
      kind: "count",
      summary: "declare more than this only with --yes (default: 10)",
    },
    recreate: {
      usage: "--recreate",
      kind: "switch",
      summary: "declare an incident again that was declared from here and no longer exists",
    },
    failOnDrift: {
      usage: "--fail-on-drift",
      kind: "switch",
      summary: "exit with 11 if a live incident differs from its definition",
    },
    noRefresh: {
      usage: "--no-refresh",
      kind: "switch",
      summary: "do not read incidents that the journal knows as declared; say how many",
    },
    failFast: { usage: "--fail-fast", kind: "switch", summary: "declare nothing more after a failure" },
    concurrency: {
      usage: "--concurrency <count>",
      kind: "count",
      summary: "the number of incidents to read or declare in parallel (default: 16)",
    },
    noCiReport: {
      usage: "--no-ci-report",
      kind: "switch",
      summary: "in GitHub Actions and GitLab, write no summary, outputs or report",
    },
    ...confirmFlags,
    ...contractFlags,
    ...policyFlags,
  },
  outputs: ["table", "json", "yaml", "id"],
  examples: [
    { command: "incident apply -f incidents/ --dry-run", summary: "what would be declared" },
    { command: "incident apply -f incidents/", summary: "declare what is missing" },
    {
      command: "incident apply -f incidents/ -R --fail-on-drift",
      summary: "also fail if a live incident differs",
    },
  ],
  notes: "Every definition needs an id: incident validate --fix --assign-ids adds the missing ones.",
});
