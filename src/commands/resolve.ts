// `incident resolve`: an update with the status RESOLVED, of each incident in turn.
import { worstOf } from "../delivery/failures.ts";
import { Failure } from "../failure.ts";
import { defineCommand, type FlagsOf, type Run } from "../kit/define-command.ts";
import { inGroup } from "../kit/flags.ts";
import { fieldFlags } from "../kit/shared-flags.ts";
import { withTextOfStdin } from "./sending/fields.ts";
import { type ChangedIncident, reportOf } from "./update/change.ts";
import { findAndChange, sharedFlags } from "./update/update.ts";

export const spec = defineCommand({
  name: "resolve",
  operands: "[id...]",
  completions: "incidents",
  flags: { ...inGroup("What", { message: fieldFlags.message }), ...sharedFlags },
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
});

export const run: Run<typeof spec> = async (context, given) => {
  const input = await withTextOfStdin(context, given);
  const { flags, operands } = input;
  const change = (targets: readonly string[]) => {
    const typed = { ...input, operands: targets };
    return findAndChange(context, { ...typed, flags: { ...flags, status: "resolved" } }, spec, typed);
  };
  if (operands.length < 2) {
    const changed = await change(operands);
    return "incident" in changed ? reportOf(context, [changed]) : changed;
  }
  checkSeveral(flags);
  const resolved: ChangedIncident[] = [];
  const failures: Failure[] = [];
  for (const id of operands) {
    try {
      const result = (await change([id])) as ChangedIncident;
      resolved.push(result);
      if (result.failure !== undefined) failures.push(result.failure);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      context.warn(`${id}: ${error.message}`);
      failures.push(error);
      if (context.system.signal.aborted) break;
    }
  }
  const message = (worst: Failure) =>
    `${resolved.length} of ${operands.length} incidents are resolved; ${worst.message}`;
  const worst = worstOf(failures, resolved.length > 0);
  const commands = failures.flatMap(({ details }) => details.commands ?? []);
  return reportOf(context, resolved, worst?.with({ message: message(worst), commands }));
};

function checkSeveral({ confirm, dedupKey, dryRun, key }: FlagsOf<typeof spec>): void {
  const given = { "--confirm": confirm, "--dry-run": dryRun, "--key": key, "--dedup-key": dedupKey };
  const [flag] = Object.entries(given).find(([, value]) => value) ?? [];
  if (flag !== undefined)
    throw new Failure("usage", `${flag} is for one incident`, {
      hint: "give one id at a time; nothing was sent",
    });
}
