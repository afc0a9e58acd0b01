// The command line and the help of `incident resolve`.
import { defineCommand, type FlagsOf } from "../../kit/define-command.ts";
import { inGroup } from "../../kit/flags.ts";
import { fieldFlags } from "../../kit/shared-flags.ts";
import { exclusive, outputs, sharedFlags } from "../update/spec.ts";

export const spec = defineCommand({
  name: "resolve",
  operands: "[id...]",
  completions: "incidents",
  flags: { ...inGroup("What", { message: fieldFlags.message }), ...sharedFlags },
  exclusive,
  outputs,
  modes: { dryRun: ["table", "json", "curl"] },
  examples: {
    "incident resolve": "at a terminal: asks which incident, and for the text",
    "incident resolve $ID --message 'The fix is live.'": "resolve an incident; several ids resolve several",
    "incident resolve --dedup-key checkout-eu --message 'The problem is over.' --notify":
      "the open incident of an alert",
  },
  notes:
    "It is incident update with the status RESOLVED. For an incident that is resolved already, nothing is posted.",
});

export type ResolveFlags = FlagsOf<typeof spec>;
