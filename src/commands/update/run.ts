// `incident update`, and `incident resolve` with a status of its own: finds the incident, decides on the requests, gets
// the consent to all of it, and sends each request exactly once: the edit first, then the update.
import { connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { describedOperation } from "../../api/need-operation.ts";
import { missingFailure } from "../../delivery/changes/change-failures.ts";
import type { EditedFields } from "../../delivery/changes/edit-identity.ts";
import { fieldsToEdit } from "../../delivery/changes/edit-once.ts";
import { type PlannedUpdate, planUpdate } from "../../delivery/changes/plan-update.ts";
import { warnOfOtherUpdates } from "../../delivery/changes/unsettled-updates.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, Failure } from "../../failure.ts";
import { describeLeftOut, updateBody } from "../../incident/contract/update-body.ts";
import type { Update } from "../../incident/definition.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import { acknowledge } from "../../journal/claims.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { State } from "../../journal/open-state.ts";
import type { CommandSpec, PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { advise, argv } from "../../text/advice.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { canAsk, canPrompt, isYes, wrapQuestion } from "../shared/confirm.ts";
import { checkConfirmFlag, openConsent } from "../shared/consent/consent.ts";
import { createOverride } from "../shared/flag-overrides.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { warnOfOwnJournal } from "../shared/journal/own-journal.ts";
import { policyOverrideOf } from "../shared/load-options.ts";
import { createNotificationNotice } from "../shared/notification-notice.ts";
import { checkTarget, findIncident } from "./find-incident.ts";
import { type Changes, dryRunReport, previewChanges } from "./preview.ts";
import { checkEntry, readEntry } from "./read-entry.ts";
import { describeNothing, nameOf, sendChanges } from "./send-changes.ts";
import { spec, type Typed, type UpdateFlags, type UpdateInput } from "./spec.ts";

export const run: Run<typeof spec> = async (context, input) =>
  runUpdate(context, input, { spec, typed: input });

export async function runUpdate(context: RunContext, input: UpdateInput, typed: Typed) {
  const { flags, global, operands } = input;
  const isResolving = typed.spec.name === "resolve";
  checkConfirmFlag(flags);
  const read = await readEntry(context, flags);
  const fields = await editedFields(context, flags);
  const target = { operand: operands[0], key: flags.key, dedupKey: flags.dedupKey };
  const asks = canPrompt(context, global) && !flags.dryRun;
  checkTarget(target, asks);
  const isAboutUpdate =
    isResolving || [flags.status, flags.notify, flags.noNotify].some((each) => each !== undefined);
  const needsText = read === undefined && (isAboutUpdate || Object.keys(fields).length === 0);
  if (!asks) checkComplete(typed.spec, read?.entry, needsText);
  const guard = statusOf("--if-status", flags.ifStatus);
  if (read !== undefined && "status" in read.entry) await checkEntry(context, flags, read);

  const connection = await connect(context, { ...global, readsDocument: true });
  const { client } = connection;
  const { settings } = client;
  const known = await operationsOf(context, settings);
  if (!known.isKnown) throw unknownFailure(known.failure);
  const { operations } = known;
  const opened = await openDelivery(context, connection, { ...global, ...target });
  const delivery: DeliveryOptions = {
    ...opened.delivery,
    confirmed: flags.confirm,
    policyOverride: await policyOverrideOf(context, []),
    // A second attempt would pass by the guard, which its own first one may have broken.
    ...(guard === undefined &&
      canAsk(context, global) && { confirmResend: ({ message }) => askToResend(context, message) }),
  };
  const { askForUpdate } = needsText || operands[0] === undefined ? await import("./ask.ts") : {};
  const isNamed = Object.values(target).some((each) => each !== undefined);
  const asked =
    asks && (needsText || !isNamed || (read !== undefined && !("status" in read.entry)))
      ? await askForUpdate?.(context, global, {
          ...{ delivery, operations, isNamed, needsText, flags },
          operand: operands[0],
          entry: read?.entry ?? {},
        })
      : undefined;
  const incidentId = asked?.incidentId ?? (await findIncident(context, global, delivery, target, operations));
  const entry = asked?.entry === undefined ? read : { ...read, entry: asked.entry };
  const addUpdate = entry && describedOperation(operations, settings, "addUpdate", incidentId);
  const written = entry && (await checkEntry(context, flags, entry, { addUpdate }));
  const wanted = addUpdate && written && updateBody(addUpdate, written);
  const leftOut = addUpdate && written && describeLeftOut(addUpdate, [written]);
  if (leftOut !== undefined) context.warn(leftOut);
  if (Object.keys(fields).length > 0) describedOperation(operations, settings, "edit", incidentId);

  const planned = wanted && (await plan(delivery, incidentId, wanted, flags, isResolving));
  const incident = await incidentOf(delivery, incidentId, planned);
  const edited = fieldsToEdit(incident, fields);
  if (entry !== undefined)
    await checkEntry(context, flags, entry, {
      severity: edited.severity ?? incidentFacts(incident).severity ?? "",
    });
  const isPosted = planned?.is === "posted-before";
  const changes: Changes = {
    incident,
    operations,
    ...(Object.keys(edited).length > 0 && { fields: edited }),
    ...(wanted !== undefined && !isPosted && { update: wanted }),
    isNew: flags.new ?? false,
  };
  const posted = isPosted ? planned.posted : undefined;
  if (changes.fields === undefined && changes.update === undefined) {
    context.info(describeNothing(incident, wanted, posted?.since));
    return reportOf(context, opened, settings, { how: "posted-before", incident, log: posted?.log });
  }
  // An update without a known outcome is only read back: the status may be its own.
  const state = planned?.is === "to-post" ? planned.request.log?.state : undefined;
  const isReadBack = state === "sending" || state === "uncertain";
  if (!isReadBack || changes.fields !== undefined) checkGuard(incident, guard);
  if (planned?.is === "to-post" && planned.goesBack !== undefined)
    context.info(`the status goes back: from ${planned.goesBack} to ${wanted?.status}`);
  const preview = await previewChanges(context, settings, changes, typed);
  if (flags.dryRun) return dryRunReport(context, preview, changes);
  if (planned?.is === "to-post") await warnOfOtherUpdates(delivery, planned.request);
  const consent =
    (flags.confirm ?? settings.confirm?.value ?? "never") === "never"
      ? { isNeeded: false }
      : await openConsent(context, settings, preview, { ...input, flags });
  const isAgreed = flags.confirm !== undefined || asked !== undefined;
  const send = async (all: Changes, isConfirmed: boolean) => {
    const facts = incidentFacts(incident);
    const shown = {
      name: facts.name ?? incidentId,
      services: facts.services.map(({ id = "", name = id }) => ({ id, name })),
      incidentUpdates: all.update === undefined ? [] : [all.update],
    };
    const asking = consent.isNeeded ? { ...global, yes: false } : global;
    const notice = createNotificationNotice(
      context,
      asking,
      [shown as never],
      isConfirmed ? undefined : settings,
      { title: "Post the update of", verb: "post" },
    );
    const options = { ...delivery, beforeSend: notice.give, ...consent.refusals };
    try {
      return { sent: await sendChanges(context, options, all, planned) };
    } catch (error) {
      if (!(error instanceof Failure) || !notice.wantsSilence()) throw error;
      return { wantsSilence: true };
    }
  };
  const first = await send(changes, isAgreed);
  const silent = changes.update && { ...changes.update, notifySubscribers: false };
  const { sent } = first.sent ? first : await send({ ...changes, ...(silent && { update: silent }) }, true);
  if (sent === undefined) throw new Failure("interrupted", "declined", { hint: "nothing was sent" });
  warnOfOwnJournal(context, delivery, connection.journal);
  return reportOf(context, opened, settings, sent);
}

function plan(
  delivery: DeliveryOptions,
  incidentId: string,
  entry: Update,
  flags: UpdateFlags,
  isResolving: boolean,
): Promise<PlannedUpdate> {
  const { new: isNew = false, reopen: reopens = false } = flags;
  return planUpdate(delivery, { incidentId, entry, isNew, isResolving, reopens });
}

async function incidentOf(
  delivery: DeliveryOptions,
  id: string,
  planned: PlannedUpdate | undefined,
): Promise<Incident> {
  if (planned?.is === "posted-before") return planned.posted.incident;
  if (planned !== undefined) return planned.request.incident;
  const incident = await delivery.client.findIncident(id);
  if (incident === undefined) throw await missingFailure(delivery, id);
  return incident;
}

async function editedFields(context: RunContext, { name, severity }: UpdateFlags): Promise<EditedFields> {
  const override = await createOverride(context, { name, severity }, () => {
    throw new Error("an edit of these fields has no services");
  });
  return (override?.({}) ?? {}) as EditedFields;
}

function statusOf(flag: string, text: string | undefined): string | undefined {
  const status = statuses.find((each) => each === text?.toUpperCase());
  if (text !== undefined && status === undefined)
    throw new Failure("usage", `${flag}: "${text}" is not a status`, {
      hint: `write one of ${statuses.join(", ")}`,
    });
  return status;
}

/** Where no person can be asked. */
function checkComplete({ flags }: CommandSpec, entry: object | undefined, needsText: boolean): void {
  if (needsText) {
    const [without, file] = Object.hasOwn(flags, "file")
      ? ["without a file, ", ", or name a file with -f FILE"]
      : ["", ""];
    throw new Failure("usage", `${without}--message must be given`, {
      hint: `add --message with the text that customers read${file}; nothing was sent`,
    });
  }
  if (entry !== undefined && !("status" in entry))
    throw new Failure("usage", "the update has no status", {
      hint: "add --status investigating, identified, monitoring or resolved; nothing was sent",
    });
}

/** A runbook's guard. */
function checkGuard(incident: Incident, guard: string | undefined): void {
  const { status } = incidentFacts(incident);
  if (guard === undefined || status === guard) return;
  throw new Failure("drift", `"${nameOf(incident)}" is ${status ?? "without a status"}, not ${guard}`, {
    hint: advise`nothing was sent; see ${argv`incident get ${incident.id}`}`,
  });
}

/** The document could not be read, which does not say that it lacks the operation. */
function unknownFailure(failure: Failure): Failure {
  return failure.with({
    kind: "unavailable",
    message: `it is not known whether the service takes updates: ${failure.message}`,
    hint: advise`nothing was sent; ${failure.details.hint}`,
  });
}

async function askToResend(context: RunContext, problem: string): Promise<boolean> {
  context.warn(problem);
  const question = "Send it again? If the first arrived, there may be two. [y/N]";
  const answer = await context.prompts.ask(safe`${await wrapQuestion(context, question)} `);
  return answer !== undefined && isYes(answer);
}

function reportOf(
  context: RunContext,
  { delivery, state }: { readonly delivery: DeliveryOptions; readonly state: Pick<State, "prune"> },
  { webUrl }: ServiceSettings,
  { failure, how, incident, log }: Ended,
): PlainReport<typeof spec> {
  const onPrinted = () =>
    bestEffort(context, async () => {
      if (log !== undefined) await acknowledge(delivery, log);
      await state.prune();
    });
  return { ...incidentsReport([{ how, ...incident }], webUrl, failure), onPrinted };
}

interface Ended {
  readonly how: string;
  readonly incident: Incident;
  readonly failure?: Failure | undefined;
  /** Of the update. */
  readonly log?: OperationLog | undefined;
}
