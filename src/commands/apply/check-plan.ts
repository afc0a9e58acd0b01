// The limit on the creates of one run, and the confirmation of a plan.
import { Failure } from "../../failure.ts";
import type { GlobalFlags, RunContext } from "../define-command.ts";
import { canAsk, confirm } from "../shared/confirm.ts";
import { type AppliedFile, type ApplyEnvelope, envelopeOf } from "./apply-result.ts";

/** More creates than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxCreates = 10;

interface CreateLimits {
  readonly maxCreates?: number | undefined;
  readonly recreate?: boolean | undefined;
}

function countCreates(plan: readonly AppliedFile[], recreate: boolean | undefined): number {
  return plan.filter(({ action }) => action === "create" || (action === "gone" && recreate)).length;
}

/** Tells the reader of a plan that a run without a terminal will be refused. */
export function announceLimit(
  { warn }: Pick<RunContext, "warn">,
  { yes }: GlobalFlags,
  { maxCreates = defaultMaxCreates, recreate }: CreateLimits,
  plan: readonly AppliedFile[],
): void {
  const creates = countCreates(plan, recreate);
  if (creates <= maxCreates || yes) return;
  warn(
    `this plan declares ${creates} incidents, more than ${maxCreates}: without a terminal, the run needs --yes or --max-creates ${creates}`,
  );
}

interface CheckPlanOptions {
  readonly flags: CreateLimits;
  readonly global: GlobalFlags;
  readonly isTable: boolean;
  readonly target: string;
}

/** Asks the person to confirm. Without a person, refuses a plan with too many creates. */
export async function checkPlan(
  context: RunContext,
  { flags, global, isTable, target }: CheckPlanOptions,
  plan: readonly AppliedFile[],
): Promise<void> {
  const { maxCreates = defaultMaxCreates, recreate } = flags;
  const creates = countCreates(plan, recreate);
  if (creates === 0) return;
  if (canAsk(context, global)) {
    const envelope: ApplyEnvelope = envelopeOf(plan, true);
    if (isTable) {
      const { renderPlan } = await import("../../view/plan.ts");
      await context.show((style) => renderPlan(style, envelope));
    }
    const count = creates === 1 ? "1 incident" : `${creates} incidents`;
    await confirm(context, global, `Declare ${count} ${target}?`);
  } else if (creates > maxCreates) {
    throw new Failure(
      "usage",
      `this would declare ${creates} incidents, more than ${maxCreates}: the account may be wrong, or the service empty`,
      {
        hint: `nothing was sent; check the account, and look at the plan with --dry-run; then give this run, and no later one, --max-creates ${creates}`,
      },
    );
  }
}
