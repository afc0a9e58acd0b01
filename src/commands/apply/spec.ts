// The command line and the help of `incident apply`.
import { defineCommand } from "../define-command.ts";
import { definitionFlags } from "../shared/flag-specs.ts";

export const spec = defineCommand({
  name: "apply",
  summary: "make sure that every definition of a folder exists, once",
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
      summary: "declare again what was declared from here and is gone",
    },
    failOnDrift: {
      usage: "--fail-on-drift",
      kind: "switch",
      summary: "exit with 11 where what exists differs from its definition",
    },
    failFast: { usage: "--fail-fast", kind: "switch", summary: "start nothing more after a failure" },
    concurrency: {
      usage: "--concurrency <count>",
      kind: "count",
      summary: "how many are read or declared at a time (default: 16)",
    },
    rateLimit: {
      usage: "--rate-limit <requests/seconds>",
      kind: "text",
      summary: "keep to this rate (default: 600/60, the service's own)",
    },
    noCiReport: {
      usage: "--no-ci-report",
      kind: "switch",
      summary: "in GitHub Actions and GitLab, write no summary, outputs or report",
    },
  },
  outputs: ["table", "json", "yaml", "id"],
  examples: [
    { command: "incident apply -f incidents/ --dry-run", summary: "what would be declared" },
    { command: "incident apply -f incidents/", summary: "declare what is missing" },
    {
      command: "incident apply -f incidents/ -R --fail-on-drift",
      summary: "and fail where something differs",
    },
  ],
  notes:
    "Every definition needs an id: incident validate --fix --assign-ids gives one to those that have none.",
});
