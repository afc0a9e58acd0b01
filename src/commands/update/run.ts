// `incident update`, and `incident resolve` with a status of its own: finds the incident, decides on the requests, gets
// the consent to all of it, and sends each request exactly once: the edit first, then the update.
import { warnOfOtherUpdates } from "../../delivery/changes/unsettled-updates.ts";
import { bestEffort, Failure } from "../../failure.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { ModeReport, PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import { canPrompt } from "../shared/confirm.ts";
import { checkConfirmFlag, openConsent } from "../shared/consent/consent.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { warnOfOwnJournal } from "../shared/journal/own-journal.ts";
import { createNotificationNotice } from "../shared/notification-notice.ts";
import { checkTarget, findIncident, type Target } from "./find-incident.ts";
import { openSession, type Session } from "./open-session.ts";
import { type PlannedChanges, planChanges } from "./plan-changes.ts";
import { type Changes, dryRunReport, editNotice, previewChanges } from "./preview.ts";
import { checkEntry, readChanges } from "./read-changes.ts";
import { describeNothing, sendChanges } from "./send-changes.ts";
import { spec, type Typed, type UpdateInput } from "./spec.ts";

export const run: Run<typeof spec> = async (context, input) => {
  const ended = await changeIncident(context, input, { spec, typed: input });
  return "incident" in ended ? reportOf(context, [ended]) : ended;
};

/** What became of one incident. */
export interface Ended extends Pick<Session, "settings" | "state"> {
  readonly how: string;
  readonly incident: Incident;
  readonly failure?: Failure | undefined;
}

/** Changes one incident; with --dry-run, the report of its requests. */
export async function changeIncident(
  context: RunContext,
  input: UpdateInput,
  typed: Typed,
): Promise<Ended | ModeReport<typeof spec>> {
  const { flags, global, operands } = input;
  checkConfirmFlag(flags);
  const target: Target = { operand: operands[0], key: flags.key, dedupKey: flags.dedupKey };
  const asks = canPrompt(context, global) && !flags.dryRun;
  checkTarget(target, asks);
  checkStatus(flags.ifStatus);
  const read = await readChanges(context, flags);
  const { entry: given } = read;
  const needsText = given !== undefined && given.description === undefined;
  if (needsText && !asks)
    throw new Failure("usage", "--message must be given", {
      hint: "add --message with the text that customers read; nothing was sent",
    });
  if (given !== undefined && !needsText) await checkEntry(context, flags, given);

  const session = await openSession(context, input, target);
  const isNamed = Object.values(target).some((each) => each !== undefined);
  const asked = asks && (needsText || !isNamed) ? await import("./ask.ts") : undefined;
  const incidentId = isNamed
    ? await findIncident(context, session.delivery, target, session.operations)
    : ((await asked?.askForIncident(context, global, session)) ?? "");
  const entry =
    needsText && asked !== undefined
      ? await asked.askForUpdate(context, global, session, incidentId, given)
      : given;
  const isResolving = typed.spec.name === "resolve";
  const wanted = { isResolving, fields: read.fields, entry };
  const plan = await planChanges(context, session, incidentId, wanted, flags);
  const { changes, planned } = plan;
  if (changes.fields === undefined && changes.update === undefined) {
    const since = planned?.is === "posted-before" ? planned.posted.since : undefined;
    context.info(describeNothing(changes.incident, plan.update, since));
    return { ...session, how: "posted-before", incident: changes.incident };
  }
  if (planned?.is === "to-post" && planned.goesBack !== undefined)
    context.info(`the status goes back: from ${planned.goesBack} to ${changes.update?.status}`);
  const preview = await previewChanges(context, session.settings, changes, typed);
  if (flags.dryRun) return dryRunReport(context, preview, changes);
  if (asked !== undefined && !global.yes) await asked.confirmChanges(context, global, session, changes);
  if (planned?.is === "to-post") await warnOfOtherUpdates(session.delivery, planned.request);
  const ended = await sendAgreed(context, input, session, plan, preview, asked !== undefined);
  warnOfOwnJournal(context, session.delivery, session.journal);
  return { ...session, ...ended };
}

/** Sends what the person agrees to: with "silently", the update without a notification. */
async function sendAgreed(
  context: RunContext,
  input: UpdateInput,
  { delivery, settings }: Session,
  { changes, ifStatus, planned }: PlannedChanges,
  preview: Awaited<ReturnType<typeof previewChanges>>,
  isAsked: boolean,
) {
  const { flags, global } = input;
  const consent =
    (flags.confirm ?? settings.confirm?.value ?? "never") === "never"
      ? { isNeeded: false }
      : await openConsent(context, settings, preview, input);
  const { fields, incident, update } = changes;
  if (fields !== undefined) context.info(editNotice);
  const { name = incident.id, services } = incidentFacts(incident);
  const named = services.map((each) => ({ name: each.name ?? each.id ?? "" }));
  const notice = createNotificationNotice(
    context,
    consent.isNeeded ? { ...global, yes: false } : global,
    [{ name, services: named, incidentUpdates: update === undefined ? [] : [update] }],
    isAsked || flags.confirm !== undefined ? undefined : settings,
    { title: "Post the update of", verb: "post", what: fields === undefined ? "" : "the update: " },
  );
  const options = {
    ...delivery,
    ...(update !== undefined && { beforeSend: notice.give }),
    ...consent.refusals,
  };
  const send = (all: Changes) => sendChanges(context, options, all, planned, ifStatus);
  try {
    return await send(changes);
  } catch (error) {
    if (update === undefined || !(error instanceof Failure) || !notice.wantsSilence()) throw error;
    context.info("not notifying subscribers");
    const { beforeSend: _, ...agreed } = options;
    const silent = { ...changes, update: { ...update, notifySubscribers: false } };
    return sendChanges(context, agreed, silent, planned, ifStatus);
  }
}

function checkStatus(text: string | undefined): void {
  if (text === undefined || statuses.some((each) => each === text.toUpperCase())) return;
  throw new Failure("usage", `--if-status: "${text}" is not a status`, {
    hint: `write one of ${statuses.join(", ")}`,
  });
}

export function reportOf(
  context: RunContext,
  all: readonly Ended[],
  problem?: Failure,
): PlainReport<typeof spec> {
  const [first] = all;
  const incidents = all.map(({ how, incident }) => ({ how, ...incident }));
  const onPrinted = () => bestEffort(context, async () => first?.state.prune());
  return { ...incidentsReport(incidents, first?.settings.webUrl, problem ?? first?.failure), onPrinted };
}
