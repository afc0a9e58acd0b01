// The consent of a person to an apply: to the creates of its plan, with one digest for all of them.
import { isToBeDeclared } from "../../delivery/apply.ts";
import { digestOf } from "../../delivery/consent/digest.ts";
import { createBody } from "../../incident/create-body.ts";
import { wasConfirmedAs } from "../../journal/events.ts";
import type { Endpoint, ServiceSettings } from "../../workspace/resolve.ts";
import type { FlagsOf, Input, RunContext } from "../define-command.ts";
import { canAsk } from "../shared/confirm.ts";
import { writeCommandLine } from "../shared/consent/command-line.ts";
import {
  announceConfirmation,
  askForConsent,
  checkConsent,
  type Preview,
  reasonForConsent,
} from "../shared/consent/consent.ts";
import { type AppliedFile, envelopeOf } from "./apply-result.ts";
import { spec } from "./spec.ts";

type ApplyInput = Input<FlagsOf<typeof spec>>;

/** Undefined where the plan declares nothing. Counts the definitions that the confirmed run declared before it broke off. */
function previewApply(
  { account, accountHeader, baseUrl }: Endpoint,
  plan: readonly AppliedFile[],
  input: ApplyInput,
): Preview | undefined {
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
  const data = envelopeOf(plan, true);
  return {
    proposal,
    command: writeCommandLine(spec, input, { dryRun: undefined, confirm: digestOf(proposal) }),
    data,
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, data),
  };
}

/** Throws a `Failure` "confirmation" where --confirm is for another plan, or is needed. */
export async function checkPlanConsent(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
) {
  const { confirm } = input.flags;
  const preview = previewApply(settings, plan, input);
  if (preview !== undefined && confirm !== undefined) await checkConsent(context, input, preview, confirm);
  if (preview === undefined || confirm !== undefined)
    return { isConfirmed: confirm !== undefined, isNeeded: false };
  const reason = reasonForConsent(settings.confirm, preview.proposal);
  if (reason !== undefined && !canAsk(context, input.global))
    throw await askForConsent(context, input, preview, reason);
  return { isConfirmed: false, isNeeded: reason !== undefined };
}

/** For a dry run: says how to declare exactly this, and gives the fields of the envelope. */
export function announcePlan(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
) {
  const preview = previewApply(settings, plan, input);
  if (preview === undefined) return {};
  announceConfirmation(context, input, preview);
  return { confirm: digestOf(preview.proposal), command: preview.command };
}
