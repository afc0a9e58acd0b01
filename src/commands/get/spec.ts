// The command line and the help of `incident get`.
import { defineCommand } from "../define-command.ts";
import { statusValues } from "../shared/flag-specs.ts";

export const spec = defineCommand({
  name: "get",
  summary: "read incidents",
  operands: "<id...>",
  completions: "incidents",
  flags: {
    watch: { usage: "-w, --watch", kind: "switch", summary: "read repeatedly, until Ctrl-C" },
    waitFor: {
      usage: "--wait-for <status>",
      kind: "text",
      summary: "wait for this status or a later one; exit 10 if the time is over",
      completions: statusValues,
    },
    waitTimeout: {
      usage: "--wait-timeout <duration>",
      kind: "duration",
      summary: "time limit of --wait-for (default: 30m)",
    },
    interval: {
      usage: "--interval <duration>",
      kind: "duration",
      summary: "time between two reads (default: 10s; at least 1s)",
    },
  },
  outputs: ["table", "json", "yaml", "id", "markdown", "definition"],
  examples: [
    {
      command: "incident get 7c9e6679-7425-40de-944b-e07fc1f90ae7",
      summary: "one incident and its timeline",
    },
    { command: "incident get $ID -o json", summary: "the service's own answer" },
    {
      command: "incident get $ID -o definition > checkout.yaml",
      summary: "as a definition for create and apply",
    },
    { command: "incident get $ID -o markdown", summary: "for a chat or a post-mortem" },
    { command: "incident get $ID --watch", summary: "follow an incident as it changes" },
    {
      command: "incident get $ID --wait-for resolved --wait-timeout 1h && ./deploy.sh",
      summary: "block a deploy until then",
    },
  ],
  notes:
    "With --watch and without a terminal, each change is one line; with -o json, one line of JSON. After the\n" +
    "first answer, a failing network ends neither --watch nor --wait-for.",
});
