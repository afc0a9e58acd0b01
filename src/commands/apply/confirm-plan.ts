// The consent of a person to the plan of an apply, with one digest for all that it sends, and the limit on its size.
import { buildRequest, type SaidRequest, saidBy } from "../../api/request.ts";
import { isToBeDeclared, isToBeSent } from "../../delivery/apply.ts";
import { digestOf } from "../../delivery/consent/digest.ts";
import { Failure } from "../../failure.ts";
import { updateBody } from "../../incident/contract/update-body.ts";
import { type CreateBody, createBody, type SentUpdate } from "../../incident/create-body.ts";
import type { Definition } from "../../incident/definition.ts";
import type { FlagsOf, Input, RunContext } from "../../kit/define-command.ts";
import { countOf } from "../../text/lengths.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { canAsk, confirm } from "../shared/confirm.ts";
import {
  announceConfirmation,
  confirmableBy,
  openConsent,
  type Preview,
  previewOf,
  proposalOf,
} from "../shared/consent/consent.ts";
import { describeTarget, notifiedBy } from "../shared/notification-notice.ts";
import { type AppliedFile, envelopeOf } from "./apply-result.ts";
import { spec } from "./spec.ts";
import { sayAll } from "./without-key.ts";

type ApplyInput = Input<FlagsOf<typeof spec>>;

/** More changes than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxChanges = 10;

/** A create counts once, with the updates that follow it. */
function countChanges(plan: readonly AppliedFile[], recreate = false): number {
  return plan.reduce((sum, planned) => {
    if (planned.changes !== undefined)
      return sum + planned.changes.count + (planned.changes.edits.length > 0 ? 1 : 0);
    return sum + (isToBeDeclared(planned, { recreate }) && planned.action !== "unsettled" ? 1 : 0);
  }, 0);
}

/** The requests of a run for one definition. */
interface Said {
  readonly requests: readonly SaidRequest[];
  /** The texts, with the services whose subscribers they notify. */
  readonly notifying: Definition;
  readonly body?: CreateBody;
}

function saidOf(settings: ServiceSettings, planned: AppliedFile, recreate: boolean): Said | undefined {
  const { changes, definition, key, serviceId = key.id } = planned;
  const whole = createBody(definition, key.id, settings.account.value);
  const say = (request: Parameters<typeof buildRequest>[1]) => saidBy(buildRequest(settings, request));
  if (isToBeDeclared(planned, { recreate }))
    return { requests: [say({ method: "POST", body: whole })], notifying: whole, body: whole };
  if (changes === undefined) return undefined;
  const { addUpdate, edit } = changes.operations;
  const fields = Object.entries(whole)
    .filter(([name]) => Object.hasOwn(changes.fields, name))
    .sort(([one], [other]) => one.localeCompare(other));
  const updates = changes.updates
    .map((at) => whole.incidentUpdates[at] as SentUpdate)
    .map((update) => (addUpdate === undefined ? update : updateBody(addUpdate, update)));
  // Nothing states whether an edit notifies.
  const mayNotify = fields.length > 0 ? [{ description: "", notifySubscribers: true }] : [];
  return {
    requests: [
      ...(fields.length > 0 && edit !== undefined
        ? [say({ method: edit.method, id: serviceId, body: Object.fromEntries(fields) })]
        : []),
      ...updates.map((body) => say({ method: "POST", id: serviceId, segment: addUpdate?.segment, body })),
    ],
    notifying: { ...whole, incidentUpdates: [...updates, ...mayNotify] },
  };
}

/** Undefined for a plan without requests. */
async function previewApply(
  context: RunContext,
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
): Promise<(Preview & { readonly data: PlanFacts }) | undefined> {
  const { recreate = false } = input.flags;
  if (!plan.some((planned) => isToBeSent(planned, { recreate }))) return undefined;
  const said = plan.map((planned) => saidOf(settings, planned, recreate));
  const all = said.filter((each) => each !== undefined);
  const requests = { isNew: false, requests: all.flatMap(({ requests }) => requests) };
  const envelope = envelopeOf(plan, true);
  const data = {
    ...envelope,
    baseUrl: settings.baseUrl.value,
    accountId: settings.account.value ?? "none",
    results: envelope.results.map((result, index) => {
      const body = said[index]?.body;
      return body === undefined ? result : { ...result, body };
    }),
  };
  return previewOf(context, spec, input, requests, {
    data,
    notified: notifiedBy(all.map(({ notifying }) => notifying)),
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, data),
  });
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
  // A confirmation of all definitions, made without a key, permits every part of them.
  const isAllConfirmed =
    flags.confirm !== undefined &&
    digestOf(await proposalOf(context, sayAll(settings, plan).said)) === flags.confirm;
  const consent = isAllConfirmed
    ? undefined
    : preview && (await openConsent(context, settings, preview, input));
  await consent?.refusals?.beforeSend?.();
  const asking = consent?.isNeeded ? { ...global, yes: false } : global;
  const { maxChanges = defaultMaxChanges, recreate } = flags;
  const changes = countChanges(plan, recreate);
  if (flags.confirm !== undefined || asking.yes || changes === 0) return;
  if (canAsk(context, global)) {
    const envelope = envelopeOf(plan, true);
    if (format === "table") {
      const { renderPlan } = await import("../../view/plan.ts");
      await context.show((style) => renderPlan(style, envelope));
    }
    const creates = plan.filter((planned) => isToBeDeclared(planned, { recreate: recreate ?? false })).length;
    const isDeclaring = creates > 0 && !plan.some((planned) => planned.changes !== undefined);
    const what = isDeclaring
      ? `Declare ${countOf(creates, "incident")}`
      : `Send ${countOf(changes, "change")}`;
    const question = `${what} ${describeTarget(settings)}?`;
    await confirm(context, spec, { ...input, global: asking }, question);
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
  settings: ServiceSettings,
  plan: readonly AppliedFile[],
  input: ApplyInput,
) {
  const { maxChanges = defaultMaxChanges, recreate } = input.flags;
  const changes = countChanges(plan, recreate);
  if (changes > maxChanges && !input.global.yes)
    context.warn(
      `this plan has ${changes} creates, updates and edits, more than ${maxChanges}: without a terminal, the run needs --yes or --max-changes ${changes}`,
    );
  const preview = await previewApply(context, settings, plan, input);
  if (preview === undefined) return {};
  announceConfirmation(context, preview);
  return { ...preview.data, ...confirmableBy(preview) };
}
