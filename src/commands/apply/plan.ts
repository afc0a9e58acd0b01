// The requests of an apply, their preview, and the consent of a person to all of them with one digest.
import type { RequestTarget } from "../../api/request.ts";
import { isToBeDeclared } from "../../delivery/apply.ts";
import type { PlannedDefinition } from "../../delivery/plan.ts";
import { updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import { createBody } from "../../incident/create-body.ts";
import type { FlagsOf, Input, RunContext } from "../../kit/define-command.ts";
import { countOf } from "../../text/lengths.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { describeTarget, needsPerson } from "../sending/consent.ts";
import { changeRequests, type PlannedIncident, planCreate } from "../sending/plan.ts";
import {
  announceConfirmation,
  confirmableBy,
  isConfirmed,
  type Preview,
  previewOf,
} from "../sending/preview.ts";
import { canAsk, confirm } from "../shared/questions.ts";
import { type AppliedFile, envelopeOf } from "./result.ts";
import { spec } from "./spec.ts";

type ApplyInput = Input<FlagsOf<typeof spec>>;

/** More changes than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxChanges = 10;

/** A create counts once, with the updates that follow it. */
function countChanges(plan: readonly PlannedDefinition[], recreate = false): number {
  return plan.reduce((sum, planned) => {
    if (planned.changes !== undefined) return sum + planned.changes.count + (planned.changes.edit ? 1 : 0);
    return sum + (isToBeDeclared(planned, { recreate }) && planned.action !== "unsettled" ? 1 : 0);
  }, 0);
}

/** The requests for each definition; none for one whose incident stays as it is. */
export function plannedIncidents(
  target: RequestTarget,
  plan: readonly PlannedDefinition[],
  { isAll = false, recreate = false }: { readonly isAll?: boolean; readonly recreate?: boolean },
): readonly PlannedIncident[] {
  return plan.map((planned) => {
    const { changes, definition, key, serviceId: id = key.id } = planned;
    const create = planCreate(target, definition, key.id);
    if (isAll || isToBeDeclared(planned, { recreate })) return create;
    if (changes === undefined) return { ...create, requests: [] };
    const { addUpdate, edit } = changes;
    const { incidentUpdates } = createBody(definition, key.id, target.account.value);
    const updates = changes.updates.flatMap((at) => {
      const update = incidentUpdates[at];
      return update && addUpdate ? [updateBody(addUpdate, update)] : [];
    });
    return { ...create, requests: changeRequests(target, id, { edit, addUpdate, updates }) };
  });
}

/** `isAll`: everything that the definitions say, also of incidents that exist. */
export async function previewApply(
  context: RunContext,
  target: RequestTarget,
  plan: readonly AppliedFile[],
  input: ApplyInput,
  isAll = false,
): Promise<Preview & { readonly data: PlanFacts }> {
  const all = plannedIncidents(target, plan, { ...input.flags, isAll });
  const envelope = envelopeOf(plan, true);
  const data = {
    ...envelope,
    baseUrl: target.baseUrl.value,
    accountId: target.account.value ?? "none",
    results: envelope.results.map((result, at) => {
      const body = all[at]?.requests.find(({ body }) =>
        Object.hasOwn(body as object, "incidentUpdates"),
      )?.body;
      return body === undefined ? result : { ...result, body: body as NonNullable<typeof result.body> };
    }),
  };
  const page: Preview["page"] = async (style) => (await import("../../view/plan.ts")).renderPlan(style, data);
  const incidents = all.filter(({ requests }) => requests.length > 0);
  return { ...(await previewOf(context, spec, input, incidents, { isNew: false }, { data, page })), data };
}

/**
 * Asks the person to confirm. Throws a `Failure`: "confirmation" where --confirm is for another plan or is needed, and
 * "usage" for too many changes where no person can be asked.
 */
export async function confirmPlan(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
): Promise<void> {
  const { flags, format, global } = input;
  const preview = await previewApply(context, settings, plan, input);
  if (preview.incidents.length === 0) return;
  // A confirmation of all definitions, made without a key, permits every part of them.
  const all = plannedIncidents(settings, plan, { isAll: true });
  const whole = { isNew: false, requests: all.flatMap((each) => each.requests) };
  if (await isConfirmed(context, input, preview, whole)) return;
  const sending = { ...preview, preview: async () => preview };
  const isNeeded = await needsPerson(context, input, settings, sending);
  const { maxChanges = defaultMaxChanges, recreate = false } = flags;
  const changes = countChanges(plan, recreate);
  if ((global.yes && !isNeeded) || changes === 0) return;
  if (canAsk(context, global)) {
    if (format === "table") await context.show(preview.page);
    const creates = plan.filter((planned) => isToBeDeclared(planned, { recreate })).length;
    const isDeclaring = creates > 0 && !plan.some((planned) => planned.changes !== undefined);
    const what = isDeclaring
      ? `Declare ${countOf(creates, "incident")}`
      : `Send ${countOf(changes, "change")}`;
    const asking = { ...input, global: { ...global, yes: false } };
    await confirm(context, spec, asking, `${what} ${describeTarget(settings)}?`);
  } else if (changes > maxChanges) {
    const message = `this would send ${changes} creates, updates and edits, more than ${maxChanges}: the account may be wrong, or the service empty`;
    throw new Failure("usage", message, {
      hint: `nothing was sent; check the account, and look at the plan with --dry-run; then give this run, and no later one, --max-changes ${changes}`,
    });
  }
}

/**
 * Reports on a dry run: warns of more changes than a run without a terminal makes, prints the command that sends
 * exactly this plan, and returns the fields that the envelope has beside the plan.
 */
export async function announcePlan(
  context: RunContext,
  target: RequestTarget,
  plan: readonly AppliedFile[],
  input: ApplyInput,
  isAll = false,
): Promise<Partial<PlanFacts>> {
  const { maxChanges = defaultMaxChanges, recreate } = input.flags;
  const changes = countChanges(plan, recreate);
  if (changes > maxChanges && !input.global.yes)
    context.warn(
      `this plan has ${changes} creates, updates and edits, more than ${maxChanges}: without a terminal, the run needs --yes or --max-changes ${changes}`,
    );
  const preview = await previewApply(context, target, plan, input, isAll);
  if (preview.incidents.length === 0) return {};
  announceConfirmation(context, preview);
  return { ...preview.data, ...confirmableBy(preview) };
}
