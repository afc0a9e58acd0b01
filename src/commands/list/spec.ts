// The command line and the help of `incident list`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { filterFlags, statusValues } from "../../kit/shared-flags.ts";
import { mostListed } from "../shared/incident-list/most-listed.ts";

export const spec = defineCommand({
  name: "list",
  summary: "list the incidents of the service",
  flags: {
    open: flag.switch("--open", "only incidents that are not resolved"),
    status: flag.text("--status <status>", "only incidents with this status", statusValues),
    ...filterFlags,
    since: flag.text(
      "--since <time>",
      "only incidents that were created since then, such as 7d or 2026-11-01",
    ),
    limit: flag.count("--limit <count>", `the most incidents to show (default: 50; at most ${mostListed})`),
  },
  outputs: ["table", "json", "id", "markdown"],
  examples: {
    "incident list --open": "what is open now, of any origin",
    "incident list --service checkout --since 7d": "the last week of one service",
    "incident list --open -o id": "the ids, for a script",
  },
  notes:
    "The newest come first. The list is an operation that the service's own document describes: where it does not,\n" +
    `the command fails with exit code 6. It reads at most ${mostListed} incidents.`,
});
