// The command line and the help of `incident get`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { statusValues } from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "get",
  summary: "read incidents",
  operands: "<id...>",
  completions: "incidents",
  flags: {
    watch: flag.switch("-w, --watch", "read repeatedly, until Ctrl-C"),
    waitFor: flag.text(
      "--wait-for <status>",
      "wait for this status or a later one; exit 10 if the time is over",
      statusValues,
    ),
    waitTimeout: flag.duration("--wait-timeout <duration>", "time limit of --wait-for (default: 30m)"),
  },
  outputs: ["table", "json", "id", "markdown", "definition"],
  modes: { watch: ["table", "json"] },
  examples: {
    "incident get 7c9e6679-7425-40de-944b-e07fc1f90ae7": "one incident and its timeline",
    "incident get $ID -o json": "the service's own answer",
    "incident get $ID -o definition > checkout.yaml": "as a definition for create and apply",
    "incident get $ID -o markdown": "for a chat or a post-mortem",
    "incident get $ID --watch": "follow an incident as it changes",
    "incident get $ID --wait-for resolved --wait-timeout 1h && ./deploy.sh": "block a deploy until then",
  },
  notes:
    "An id can also be its first digits, the address of an incident, or latest: the newest that was declared from here.\n" +
    "With --watch and without a terminal, each change is one line; with -o json, one line of JSON. After the\n" +
    "first answer, a failing network ends neither --watch nor --wait-for.",
});
