// `incident resolve`: an update with the status RESOLVED, of each incident in turn.
import { Failure, type FailureKind } from "../failure.ts";
import { defineCommand, type FlagsOf, type Run } from "../kit/define-command.ts";
import { inGroup } from "../kit/flags.ts";
import type { Report } from "../kit/report.ts";
import { fieldFlags } from "../kit/shared-flags.ts";
import { joinSafe } from "../platform/terminal/safe-text.ts";
import { withTextOfStdin } from "./sending/fields.ts";
import type { DryRun } from "./sending/preview.ts";
import { type ChangedIncident, changeIncident, exclusive, reportOf, sharedFlags } from "./update/update.ts";

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
  const targets = input.operands.length > 1 ? input.operands.map((id) => [id]) : [input.operands];
  if (targets.length > 1) checkSeveral(input.flags);
  const resolved: ChangedIncident[] = [];
  const previews: DryRun[] = [];
  const failures: Failure[] = [];
  for (const operands of targets) {
    const typed = { spec, input: { ...input, operands } };
    try {
      const result = await changeIncident(
        context,
        { ...typed.input, flags: { ...input.flags, status: "resolved" } },
        typed,
      );
      if (!("incident" in result)) previews.push(result);
      else resolved.push(result);
      if ("incident" in result && result.failure !== undefined) failures.push(result.failure);
    } catch (error) {
      if (!(error instanceof Failure) || targets.length === 1) throw error;
      context.warn(`${operands[0]}: ${error.message}`);
      failures.push(error);
      if (isStopped(error)) break;
    }
  }
  const failure = failureOf(failures, resolved.length, targets.length);
  return input.flags.dryRun ? joined(previews, failure) : reportOf(context, resolved, failure);
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

/** One dry run of several; of one, as it is. */
function joined(previews: readonly DryRun[], failure: Failure | undefined): Report<"requests"> {
  const [only, ...others] = previews;
  if (only === undefined && failure !== undefined) return { failure };
  if (only !== undefined && others.length === 0 && failure === undefined) return only;
  return {
    is: "requests",
    data: previews.flatMap(({ data }) => data),
    page: async (style) => joinSafe(await Promise.all(previews.map(({ page }) => page(style)))),
    requests: previews.flatMap(({ requests }) => requests),
    ...(failure && { failure }),
  };
}
