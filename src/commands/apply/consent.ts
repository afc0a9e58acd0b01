// The consent of a person to an apply: to the creates of its plan, with one digest for all of them.
import { isToBeDeclared } from "../../delivery/apply.ts";
import { digestOf } from "../../delivery/consent/digest.ts";
import { createBody } from "../../incident/create-body.ts";
import { wasConfirmedAs } from "../../journal/events.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import type { FlagsOf, Input, RunContext } from "../define-command.ts";
import { announceConfirmation, openConsent, type Preview, previewOf } from "../shared/consent/consent.ts";
import { type AppliedFile, envelopeOf } from "./apply-result.ts";
import { spec } from "./spec.ts";

export type ApplyInput = Input<FlagsOf<typeof spec>>;

/** Undefined where the plan declares nothing. Counts the definitions that the confirmed run declared before it broke off. */
function previewApply(
  { account, accountHeader, baseUrl, webUrl }: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
): (Preview & { readonly data: PlanFacts }) | undefined {
  const { confirm, recreate = false } = input.flags;
  const isOpen = (planned: AppliedFile) => isToBeDeclared(planned, { recreate });
  if (!plan.some(isOpen)) return undefined;
  const confirmed = plan.filter(
    (planned) => isOpen(planned) || (planned.log !== undefined && wasConfirmedAs(planned.log, confirm)),
  );
  const proposal = {
    baseUrl: baseUrl.value,
    account: account.value,
    accountHeader,
    isNew: false,
    bodies: confirmed.map(({ definition, key }) => createBody(definition, key.id, account.value)),
  };
  const bodyOf = new Map(proposal.bodies.map((body) => [body.id, body]));
  const envelope = envelopeOf(plan, true, webUrl);
  const data = {
    ...envelope,
    baseUrl: proposal.baseUrl,
    accountId: proposal.account ?? "none",
    results: envelope.results.map((result, index) => {
      const body = isOpen(plan[index] as AppliedFile) ? bodyOf.get(result.id) : undefined;
      return body === undefined ? result : { ...result, body };
    }),
  };
  return previewOf(spec, input, proposal, {
    data,
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, data),
  });
}

/** Throws a `Failure` "confirmation" where --confirm is for another plan, or is needed. */
export async function checkPlanConsent(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
) {
  const isConfirmed = input.flags.confirm !== undefined;
  const preview = previewApply(settings, plan, input);
  if (preview === undefined) return { isConfirmed, isNeeded: false };
  const { isNeeded, refusals } = await openConsent(context, settings, preview, input);
  await refusals?.beforeSend?.();
  return { isConfirmed, isNeeded };
}

/** For a dry run: says how to declare exactly this, and gives what the envelope has beside the plan. */
export function announcePlan(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
) {
  const preview = previewApply(settings, plan, input);
  if (preview === undefined) return {};
  announceConfirmation(context, preview);
  return { ...preview.data, confirm: digestOf(preview.proposal), command: preview.command };
}
