// The plan of a run without a key, for a job that shows it to reviewers and holds no secret: everything that the definitions
// say. A confirmation of it permits whatever part of that the service lacks.
import { buildRequest, type RequestTarget, saidBy } from "../../api/request.ts";
import { createBody } from "../../incident/create-body.ts";
import type { FlagsOf, Input, RunContext } from "../../kit/define-command.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { PlanFacts } from "../../view/plan.ts";
import { announceConfirmation, confirmableBy, previewOf } from "../shared/consent/consent.ts";
import { readKeylessTarget } from "../shared/consent/keyless-target.ts";
import { notifiedBy } from "../shared/notification-notice.ts";
import { type AppliedFile, envelopeOf, withFiles } from "./apply-result.ts";
import { spec } from "./spec.ts";

/** The requests for all definitions, also for incidents that exist. */
export function sayAll(target: RequestTarget, plan: readonly Pick<AppliedFile, "definition" | "key">[]) {
  const bodies = plan.map(({ definition, key }) => createBody(definition, key.id, target.account.value));
  const requests = bodies.map((body) => saidBy(buildRequest(target, { method: "POST", body })));
  return { bodies, said: { isNew: false, requests } };
}

/** Reads no incident. */
export async function planWithoutKey(
  context: RunContext,
  input: Input<FlagsOf<typeof spec>>,
  definitions: readonly LocatedDefinition[],
): Promise<{ readonly planned: readonly AppliedFile[]; readonly facts: PlanFacts }> {
  const target = await readKeylessTarget(context);
  const service = { baseUrl: target.baseUrl.value, account: target.account.value?.toLowerCase() };
  const plan = definitions.map(({ definition }) => ({
    definition,
    key: { ...service, id: (definition.id ?? "").toLowerCase() },
    ...({ action: "not-read", result: "not-tried", readAt: 0 } as const),
  }));
  const planned = withFiles(plan, definitions, target.webUrl);
  const { bodies, said } = sayAll(target, planned);
  const envelope = envelopeOf(planned, true);
  const data = {
    ...envelope,
    baseUrl: target.baseUrl.value,
    accountId: target.account.value ?? "none",
    results: envelope.results.map((result, at) => ({ ...result, ...(bodies[at] && { body: bodies[at] }) })),
  };
  const preview = await previewOf(context, spec, input, said, {
    data,
    notified: notifiedBy(bodies),
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, data),
  });
  context.info("nothing was sent");
  context.info(
    "without an API key, no incident was read: this is everything that the definitions say, and its confirmation permits the part of it that the service lacks",
  );
  announceConfirmation(context, preview);
  return { planned, facts: { ...data, ...confirmableBy(preview) } };
}
