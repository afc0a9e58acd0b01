// `incident resolve`: an update with the status RESOLVED, of each incident in turn.
import { Failure, type FailureKind } from "../failure.ts";
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
      if (isStopped(error)) break;
    }
  }
  return reportOf(context, resolved, failureOf(failures, resolved.length, operands.length));
};

function checkSeveral({ confirm, dedupKey, dryRun, key }: FlagsOf<typeof spec>): void {
  const given = { "--confirm": confirm, "--dry-run": dryRun, "--key": key, "--dedup-key": dedupKey };
  const [flag] = Object.entries(given).find(([, value]) => value) ?? [];
  if (flag !== undefined)
    throw new Failure("usage", `${flag} is for one incident`, {
      hint: "give one id at a time; nothing was sent",
    });
}

function isStopped({ kind }: Failure): boolean {
  return kind === "interrupted" || kind === "terminated" || kind === "timeout";
}

const worstFirst: readonly FailureKind[] = ["uncertain", "partial", "rejected", "unavailable", "drift"];

/** One failure for all: the worst kind, and "partial" where others are resolved. */
function failureOf(failures: readonly Failure[], resolved: number, all: number): Failure | undefined {
  const sorted = worstFirst.flatMap((kind) => failures.filter((each) => each.kind === kind));
  const worst = failures.find(isStopped) ?? sorted[0] ?? failures[0];
  if (worst === undefined) return undefined;
  const isUncertain = sorted[0]?.kind === "uncertain";
  const kind = isUncertain ? "uncertain" : isStopped(worst) || resolved === 0 ? worst.kind : "partial";
  return worst.with({
    kind,
    message: `${resolved} of ${all} incidents are resolved; ${worst.message}`,
    commands: failures.flatMap(({ details }) => details.commands ?? []),
  });
}
