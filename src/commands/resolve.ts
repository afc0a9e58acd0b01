// `incident resolve`: an update with the status RESOLVED, of each incident in turn.
import { Failure, type FailureKind } from "../failure.ts";
import { defineCommand, type FlagsOf, type Run } from "../kit/define-command.ts";
import { inGroup } from "../kit/flags.ts";
import type { Report } from "../kit/report.ts";
import { fieldFlags } from "../kit/shared-flags.ts";
import { joinSafe } from "../platform/terminal/safe-text.ts";
import { withTextOfStdin } from "./sending/fields.ts";
import type { DryRun } from "./sending/preview.ts";
import { changeIncident, type Ended, exclusive, reportOf, sharedFlags } from "./update/update.ts";

export const spec = defineCommand({
  name: "resolve",
  operands: "[id...]",
  completions: "incidents",
  flags: { ...inGroup("What", { message: fieldFlags.message }), ...sharedFlags },
  exclusive,
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
  const { operands } = input;
  const each = operands.length > 1 ? operands.map((id) => [id]) : [operands];
  if (each.length > 1) checkSeveral(input.flags);
  const ended: Ended[] = [];
  const previews: DryRun[] = [];
  const failures: Failure[] = [];
  for (const ids of each) {
    const one = { ...input, operands: ids };
    const update = { ...one, flags: { ...one.flags, status: "resolved" } };
    try {
      const result = await changeIncident(context, update, { spec, input: one });
      if ("incident" in result) ended.push(result);
      else previews.push(result);
      if ("incident" in result && result.failure !== undefined) failures.push(result.failure);
    } catch (error) {
      if (!(error instanceof Failure) || each.length === 1) throw error;
      context.warn(`${ids[0]}: ${error.message}`);
      failures.push(error);
      if (isStopped(error)) break;
    }
  }
  const failure = failureOf(failures, ended.length, each.length);
  return previews.length > 0 ? previewOf(previews, failure) : reportOf(context, ended, failure);
};

function checkSeveral({ confirm, dedupKey, key }: FlagsOf<typeof spec>): void {
  const flag = [confirm && "--confirm", key && "--key", dedupKey && "--dedup-key"].find(Boolean);
  if (flag)
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
  if (worst === undefined || all === 1) return worst;
  const isUncertain = sorted[0]?.kind === "uncertain";
  const kind = isUncertain ? "uncertain" : isStopped(worst) || resolved === 0 ? worst.kind : "partial";
  return worst.with({
    kind,
    message: `${resolved} of ${all} incidents are resolved; ${worst.message}`,
    commands: failures.flatMap(({ details }) => details.commands ?? []),
  });
}

function previewOf(previews: readonly DryRun[], failure: Failure | undefined): Report<"requests"> {
  return {
    is: "requests",
    data: previews.flatMap(({ data }) => data),
    page: async (style) => joinSafe(await Promise.all(previews.map(({ page }) => page(style)))),
    requests: previews.flatMap(({ requests }) => requests),
    ...(failure && { failure }),
  };
}
