// What an apply would declare, for a person to confirm: the creates of its plan.
import { isToBeDeclared } from "../../delivery/apply.ts";
import { digestOf } from "../../delivery/consent/digest.ts";
import { wasConfirmedAs } from "../../delivery/journal/events.ts";
import { createBody } from "../../incident/create-body.ts";
import type { Endpoint } from "../../settings/resolve.ts";
import type { FlagsOf, Input } from "../define-command.ts";
import { writeCommandLine } from "../shared/consent/command-line.ts";
import type { Preview } from "../shared/consent/consent.ts";
import { type AppliedFile, envelopeOf } from "./apply-result.ts";
import { spec } from "./spec.ts";

/** Undefined where the plan declares nothing. With --confirm, what that run has declared before it broke off counts. */
export function previewApply(
  { account, accountHeader, baseUrl }: Endpoint,
  plan: readonly AppliedFile[],
  input: Input<FlagsOf<typeof spec>>,
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
