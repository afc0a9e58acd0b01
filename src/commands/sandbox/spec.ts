// The command line and the help of `incident sandbox`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "sandbox",
  summary: "run the service on this machine, to rehearse",
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
      summary: "go wrong like this, such as create#1:drop-after-commit (repeatable)",
    },
    scenario: {
      usage: "--scenario <file>",
      kind: "text",
      summary: "faults and expectations from a YAML file",
      completions: "files",
    },
    script: {
      usage: "--script <step>",
      kind: "list",
      summary: 'move each incident on, such as "60s: RESOLVED" after it was declared (repeatable)',
    },
    seed: {
      usage: "--seed <number>",
      kind: "count",
      summary: "for faults that strike by chance (default: 1)",
    },
    clientIds: {
      usage: "--client-ids <what>",
      kind: "text",
      summary: "what becomes of an id in a create (default: honour)",
      choices: ["honour", "ignore", "reject"],
    },
    rateLimit: {
      usage: "--rate-limit <requests/seconds>",
      kind: "text",
      summary: "answer 429 beyond this (default: 600/60)",
    },
    data: {
      usage: "--data <file>",
      kind: "text",
      summary: "keep incidents in this file, for one sandbox after another",
      completions: "files",
    },
    force: { usage: "--force", kind: "switch", summary: "let --data replace a file with other content" },
    expect: {
      usage: "--expect <name=number>",
      kind: "list",
      summary:
        "fail with exit 11 when it ends otherwise; of requests, incidents, duplicates, 429s, exit (repeatable)",
    },
  },
  outputs: [],
  examples: [
    { command: "incident sandbox", summary: "serve until Ctrl-C, and say how to use it" },
    {
      command: "incident sandbox -- ./runbook.sh",
      summary: "run a command against it; exits with its code",
    },
    {
      command: 'incident sandbox --script "2s: RESOLVED" -- ./runbook.sh',
      summary: "incidents are resolved after a while, for --wait-for",
    },
    {
      command: "incident sandbox --scenario drill.yaml -- ./runbook.sh",
      summary: "a drill, with its faults and what is expected",
    },
  ],
  notes: async () => (await import("./help-notes.ts")).helpNotes,
});
