// The command line and the help of `incident sandbox`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";

export const spec = defineCommand({
  name: "sandbox",
  summary: "run the service's API on this machine, for rehearsals",
  operands: "[command...]",
  completions: "files",
  flags: {
    port: flag.count("--port <number>", "listen here (default: a free port)"),
    fault: flag.list("--fault <fault>", "inject a fault, such as create#1:drop-after-commit (repeatable)"),
    onlySpec: flag.switch("--only-spec", "be a service that can only create and read incidents"),
    expect: flag.list(
      "--expect <name=number>",
      "exit with 11 if the count differs at the end; counts: requests, incidents, updates, duplicates, 429s, exit (repeatable)",
    ),
  },
  outputs: [],
  examples: {
    "incident sandbox": "serve until Ctrl-C, and print how to use it",
    "incident sandbox -- ./runbook.sh": "run a command against it; exits with its code",
    "incident sandbox --fault create#1:drop-after-commit --expect duplicates=0 -- ./runbook.sh":
      "a drill: a fault, and what the run must end with",
  },
  notes:
    "The faults, and what the sandbox does where the API's specification is silent: incident help drills",
});
