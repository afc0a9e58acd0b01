// The consent of a person to the plan of an apply, with one digest for all of its creates, and the limit on their number.
import { buildRequest, saidBy } from "../../api/request.ts";
import { isToBeDeclared } from "../../delivery/apply.ts";
import { digestOf } from "../../delivery/consent/digest.ts";
import { Failure } from "../../failure.ts";
import { createBody } from "../../incident/create-body.ts";
import { wasConfirmedAs } from "../../journal/events.ts";
import type { FlagsOf, Input, RunContext } from "../../kit/define-command.ts";
import { countOf } from "../../text/lengths.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { canAsk, confirm } from "../shared/confirm.ts";
import { announceConfirmation, openConsent, type Preview, previewOf } from "../shared/consent/consent.ts";
import { describeTarget, notifiedBy } from "../shared/notification-notice.ts";
import { type AppliedFile, envelopeOf } from "./apply-result.ts";
import { spec } from "./spec.ts";

type ApplyInput = Input<FlagsOf<typeof spec>>;

/** More creates than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxCreates = 10;

function countCreates(plan: readonly AppliedFile[], recreate: boolean | undefined): number {
  return plan.filter(({ action }) => action === "create" || (action === "gone" && recreate)).length;
}

/** Undefined where the plan declares nothing. Counts the definitions that the confirmed run declared before it broke off. */
function previewApply(
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
): (Preview & { readonly data: PlanFacts }) | undefined {
  const { confirm, recreate = false } = input.flags;
  const isOpen = (planned: AppliedFile) => isToBeDeclared(planned, { recreate });
  if (!plan.some(isOpen)) return undefined;
  const confirmed = plan.filter(
    (planned) => isOpen(planned) || (planned.log !== undefined && wasConfirmedAs(planned.log, confirm)),
  );
  const bodies = confirmed.map(({ definition, key }) =>
    createBody(definition, key.id, settings.account.value),
  );
  const requests = bodies.map((body) => saidBy(buildRequest(settings, { method: "POST", body })));
  const proposal = { isNew: false, requests };
  const bodyOf = new Map(bodies.map((body) => [body.id, body]));
  const envelope = envelopeOf(plan, true);
  const data = {
    ...envelope,
    baseUrl: settings.baseUrl.value,
    accountId: settings.account.value ?? "none",
    results: envelope.results.map((result, index) => {
      const body = isOpen(plan[index] as AppliedFile) ? bodyOf.get(result.id) : undefined;
      return body === undefined ? result : { ...result, body };
    }),
  };
  return previewOf(spec, input, proposal, {
    data,
    notified: notifiedBy(bodies),
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, data),
  });
}

/**
 * Asks the person to confirm. Throws a `Failure`: "confirmation" where --confirm is for another plan or is needed, and
 * "usage" for too many creates where no person can be asked.
 */
export async function confirmPlan(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
): Promise<void> {
  const { flags, format, global } = input;
  const preview = previewApply(settings, plan, input);
  const consent = preview && (await openConsent(context, settings, preview, input));
  await consent?.refusals?.beforeSend?.();
  const asking = consent?.isNeeded ? { ...global, yes: false } : global;
  const { maxCreates = defaultMaxCreates, recreate } = flags;
  const creates = countCreates(plan, recreate);
  if (flags.confirm !== undefined || asking.yes || creates === 0) return;
  if (canAsk(context, global)) {
    const envelope = envelopeOf(plan, true);
    if (format === "table") {
      const { renderPlan } = await import("../../view/plan.ts");
      await context.show((style) => renderPlan(style, envelope));
    }
    const question = `Declare ${countOf(creates, "incident")} ${describeTarget(settings)}?`;
    await confirm(context, spec, { ...input, global: asking }, question);
  } else if (creates > maxCreates) {
    const message = `this would declare ${creates} incidents, more than ${maxCreates}: the account may be wrong, or the service empty`;
    throw new Failure("usage", message, {
      hint: `nothing was sent; check the account, and look at the plan with --dry-run; then give this run, and no later one, --max-creates ${creates}`,
    });
  }
}

/**
 * Reports on a dry run: warns of more creates than a run without a terminal makes, prints the command that declares
 * exactly this plan, and returns the fields that the envelope has beside the plan.
 */
export function announcePlan(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
) {
  const { maxCreates = defaultMaxCreates, recreate } = input.flags;
  const creates = countCreates(plan, recreate);
  if (creates > maxCreates && !input.global.yes)
    context.warn(
      `this plan declares ${creates} incidents, more than ${maxCreates}: without a terminal, the run needs --yes or --max-creates ${creates}`,
    );
  const preview = previewApply(settings, plan, input);
  if (preview === undefined) return {};
  announceConfirmation(context, preview);
  return { ...preview.data, confirm: digestOf(preview.proposal), command: preview.command };
}
