// The command line and the help of `incident sandbox`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";

export const spec = defineCommand({
  name: "sandbox",
  summary: "run the service's API on this machine, for rehearsals",
  operands: "[command...]",
  completions: "files",
  flags: {
    fault: flag.list("--fault <fault>", "inject a fault, such as create#1:drop-after-commit (repeatable)"),
    onlySpec: flag.switch("--only-spec", "be a service that can only create and read incidents"),
  },
  outputs: [],
  examples: {
    "incident sandbox": "serve until Ctrl-C, and print how to use it",
    "incident sandbox -- ./runbook.sh": "run a command against it; exits with its code",
    "incident sandbox --fault create#1:drop-after-commit -- ./runbook.sh": "a drill: with a fault",
  },
  notes:
    "The faults, and what the sandbox does where the API's specification is silent: incident help drills",
});
