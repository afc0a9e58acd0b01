// The limit on the creates of one run, and the confirmation of a plan.
import { Failure } from "../../failure.ts";
import { countOf } from "../../text/lengths.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import type { RunContext } from "../define-command.ts";
import { canAsk, confirm } from "../shared/confirm.ts";
import { describeTarget } from "../shared/notification-notice.ts";
import { type AppliedFile, envelopeOf } from "./apply-result.ts";
import type { ApplyInput } from "./consent.ts";
import { spec } from "./spec.ts";

/** More creates than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxCreates = 10;

function countCreates(plan: readonly AppliedFile[], recreate: boolean | undefined): number {
  return plan.filter(({ action }) => action === "create" || (action === "gone" && recreate)).length;
}

/** Tells the reader of a plan that a run without a terminal will be refused. */
export function announceLimit(
  { warn }: RunContext,
  { flags: { maxCreates = defaultMaxCreates, recreate }, global: { yes } }: ApplyInput,
  plan: readonly AppliedFile[],
): void {
  const creates = countCreates(plan, recreate);
  if (creates <= maxCreates || yes) return;
  warn(
    `this plan declares ${creates} incidents, more than ${maxCreates}: without a terminal, the run needs --yes or --max-creates ${creates}`,
  );
}

/** Asks the person to confirm. Without a person, refuses a plan with too many creates. */
export async function checkPlan(
  context: RunContext,
  input: ApplyInput,
  target: ServiceSettings,
  plan: readonly AppliedFile[],
): Promise<void> {
  const { flags, format, global } = input;
  const { maxCreates = defaultMaxCreates, recreate } = flags;
  const creates = countCreates(plan, recreate);
  if (creates === 0) return;
  if (canAsk(context, global)) {
    const envelope = envelopeOf(plan, true);
    if (format === "table") {
      const { renderPlan } = await import("../../view/plan.ts");
      await context.show((style) => renderPlan(style, envelope));
    }
    await confirm(context, spec, input, `Declare ${countOf(creates, "incident")} ${describeTarget(target)}?`);
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
