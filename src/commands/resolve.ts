// `incident resolve`: an update with the status RESOLVED, of each incident in turn.
import type { CommandSpec } from "../kit/command.ts";
import { fieldFlags } from "../kit/shared-flags.ts";
import { run, sharedFlags } from "./update/update.ts";

export { run };

export const spec = {
  operands: "[id...]",
  flags: { message: fieldFlags.message, ...sharedFlags },
  result: "incidents",
  modes: { dryRun: "requests" },
  examples: {
    "incident resolve": "at a terminal: asks which incident, and for the text",
    "incident resolve $ID --message 'The fix is live.'": "resolve an incident; several ids resolve several",
    "incident resolve --dedup-key checkout-eu --message 'The problem is over.' --notify":
      "the open incident of an alert",
  },
  notes:
    "It is incident update with the status RESOLVED. For an incident that is resolved already, nothing is posted.",
} as const satisfies CommandSpec;
