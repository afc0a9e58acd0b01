// The command line and the help of `incident sandbox`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "sandbox",
  summary: "run the service's API on this machine, for rehearsals",
  operands: "[command...]",
  completions: "files",
  flags: {
    port: { usage: "--port <number>", kind: "count", summary: "listen here (default: a free port)" },
    host: {
      usage: "--host <address>",
      kind: "text",
      summary: "listen on this address (default: 127.0.0.1, this machine alone)",
    },
    fault: {
      usage: "--fault <fault>",
      kind: "list",
      summary: "inject a fault, such as create#1:drop-after-commit (repeatable)",
    },
    scenario: {
      usage: "--scenario <file>",
      kind: "text",
      summary: "faults and expectations from a YAML file",
      completions: "files",
    },
    contract: {
      usage: "--contract <file>",
      kind: "text",
      summary: "be the service of this OpenAPI document or contract; that of the project by default",
      completions: "files",
    },
    script: {
      usage: "--script <step>",
      kind: "list",
      summary: 'add an update to each incident, such as "60s: RESOLVED", 60 s after its create (repeatable)',
    },
    seed: {
      usage: "--seed <number>",
      kind: "count",
      summary: "the seed of faults that occur at random (default: 1)",
    },
    clientIds: {
      usage: "--client-ids <mode>",
      kind: "text",
      summary: "how to treat the id of a create (default: honour)",
      choices: ["honour", "ignore", "reject"],
    },
    serviceLike: {
      usage: "--service-like <kind>",
      kind: "text",
      summary: "be a service that writes incidents in its own way: with every habit that the faults list",
      choices: ["normalising"],
    },
    rateLimit: {
      usage: "--rate-limit <requests/seconds>",
      kind: "text",
      summary: "answer 429 beyond this (default: 600/60)",
    },
    data: {
      usage: "--data <file>",
      kind: "text",
      summary: "keep the incidents in this file between runs",
      completions: "files",
    },
    force: { usage: "--force", kind: "switch", summary: "let --data replace a file with other content" },
    expect: {
      usage: "--expect <name=number>",
      kind: "list",
      summary:
        "exit with 11 if the count differs at the end; counts: requests, incidents, duplicates, 429s, exit (repeatable)",
    },
  },
  outputs: [],
  examples: [
    { command: "incident sandbox", summary: "serve until Ctrl-C, and print how to use it" },
    {
      command: "incident sandbox -- ./runbook.sh",
      summary: "run a command against it; exits with its code",
    },
    {
      command: 'incident sandbox --script "2s: RESOLVED" -- ./runbook.sh',
      summary: "resolve each incident after 2 s, for --wait-for",
    },
    {
      command: "incident sandbox --contract openapi.yaml -- ./runbook.sh",
      summary: "rehearse against the rules of the service's own document",
    },
    {
      command: "incident sandbox --scenario drill.yaml -- ./runbook.sh",
      summary: "a drill, with its faults and expectations",
    },
  ],
  notes:
    "The faults, and what the sandbox does where the API's specification is silent: incident help drills",
});
