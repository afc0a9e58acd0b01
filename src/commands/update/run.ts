// `incident update`, and `incident resolve` with a status of its own: finds the incident, decides on the requests, gets
// the consent to all of it, and sends each request exactly once: the edit first, then the update.
import type { EditedFields } from "../../delivery/changes/edit.ts";
import { warnOfOtherUpdates } from "../../delivery/unsettled.ts";
import { bestEffort, Failure } from "../../failure.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { ModeReport, PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import type { Fields } from "../../untrusted-data.ts";
import { checkConfirmFlag, openConsent } from "../shared/consent.ts";
import { checkEntry, createOverride, withTextOfStdin } from "../shared/fields.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { warnOfOwnJournal } from "../shared/journal/own-journal.ts";
import { describeNotified } from "../shared/planned.ts";
import { announceConfirmation, dryRunParts } from "../shared/preview.ts";
import { canPrompt } from "../shared/questions.ts";
import { checkTarget, findIncident, type Target } from "./find-incident.ts";
import { openSession, type Session } from "./open-session.ts";
import { planUpdateOf, previewUpdate, requestsOf, type UpdatePlan } from "./plan.ts";
import { describeNothing, type Sent, sendUpdate } from "./send.ts";
import { spec, type Typed, type UpdateFlags, type UpdateInput } from "./spec.ts";

export { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, given) => {
  const input = await withTextOfStdin(context, given);
  const ended = await changeIncident(context, input, { spec, input });
  return "incident" in ended ? reportOf(context, [ended]) : ended;
};

/** What became of one incident. */
export interface Ended extends Sent, Pick<Session, "settings" | "state"> {}

/** Changes one incident; with --dry-run, the report of its requests. */
export async function changeIncident(
  context: RunContext,
  input: UpdateInput,
  typed: Typed,
): Promise<Ended | ModeReport<typeof spec>> {
  const { flags, global } = input;
  const { asks, entry: given, fields, needsText, target } = await checkInput(context, input);
  const session = await openSession(context, input, target);
  const isNamed = Object.values(target).some((each) => each !== undefined);
  const asked = asks && (needsText || !isNamed) ? await import("./ask.ts") : undefined;
  const incidentId = isNamed
    ? await findIncident(context, session.delivery, target, session.operations)
    : ((await asked?.askForIncident(context, global, session)) ?? "");
  const entry =
    needsText && asked !== undefined
      ? await asked.askForUpdate(context, global, session, incidentId, given ?? {})
      : given;
  const wanted = { isResolving: typed.spec.name === "resolve", fields, entry };
  const plan = await planUpdateOf(context, session, incidentId, wanted, flags);
  const { incident, planned } = plan;
  if (plan.fields === undefined && planned?.is !== "to-post") {
    context.info(describeNothing(plan));
    return { ...session, how: "posted-before", incident };
  }
  if (planned?.is === "to-post" && planned.goesBack !== undefined)
    context.info(`the status goes back: from ${planned.goesBack} to ${plan.update?.status}`);
  if (flags.dryRun) return dryRunReport(context, session, plan, typed);
  if (asked !== undefined && !global.yes) await asked.confirmUpdate(context, global, session, plan);
  if (planned?.is === "to-post") await warnOfOtherUpdates(session.delivery, planned.request);
  const sent = await sendAgreed(context, session, plan, typed, asked !== undefined);
  warnOfOwnJournal(context, session.delivery, session.journal);
  return { ...session, ...sent };
}

/** Everything that is known before the network is used. Throws a `Failure` "usage". */
async function checkInput(context: RunContext, { flags, global, operands }: UpdateInput) {
  checkConfirmFlag(flags);
  const target: Target = { operand: operands[0], key: flags.key, dedupKey: flags.dedupKey };
  const asks = canPrompt(context, global) && !flags.dryRun;
  checkTarget(target, asks);
  const { ifStatus } = flags;
  if (ifStatus !== undefined && !statuses.some((each) => each === ifStatus.toUpperCase()))
    throw new Failure("usage", `--if-status: "${ifStatus}" is not a status`, {
      hint: `write one of ${statuses.join(", ")}`,
    });
  const { entry, fields } = await readChanges(context, flags);
  const needsText = entry !== undefined && entry.description === undefined;
  if (needsText && !asks)
    throw new Failure("usage", "--message must be given", {
      hint: "add --message with the text that customers read; nothing was sent",
    });
  if (entry !== undefined && !needsText) await checkEntry(context, flags, entry);
  return { asks, entry, fields, needsText, target };
}

/** Throws a `Failure` "usage" for a value that is none. */
async function readChanges(context: RunContext, flags: UpdateFlags) {
  const { message, name, noNotify, notify, service, severity, status } = flags;
  const { read } = await context.workspace.catalog();
  const given = { message, name, noNotify, notify, service, severity, status };
  const override = await createOverride(context, given, read);
  const document = (override?.({ incidentUpdates: [{}] }) ?? { incidentUpdates: [{}] }) as EditedFields & {
    readonly incidentUpdates: readonly [Fields];
  };
  const { incidentUpdates, ...fields } = document;
  const [entry] = incidentUpdates;
  const isEdit = Object.keys(entry).length === 0 && Object.keys(fields).length > 0;
  return { entry: isEdit ? undefined : entry, fields };
}

async function dryRunReport(
  context: RunContext,
  { settings }: Session,
  plan: UpdatePlan,
  typed: Typed,
): Promise<ModeReport<typeof spec>> {
  const preview = await previewUpdate(context, settings, plan, typed);
  context.info("nothing was sent");
  for (const line of describeNotified(preview.incidents, true)) context.info(line);
  announceConfirmation(context, preview);
  return dryRunParts(preview);
}

async function sendAgreed(
  context: RunContext,
  { delivery, settings }: Session,
  plan: UpdatePlan,
  typed: Typed,
  isAnswered: boolean,
): Promise<Sent> {
  const { name } = incidentFacts(plan.incident);
  const subject = `${plan.update === undefined ? "Edit" : "Post the update of"} "${name ?? plan.incident.id}"`;
  const preview = () => previewUpdate(context, settings, plan, typed);
  const sending = { incidents: [requestsOf(settings, plan)], preview };
  const consent = await openConsent(context, typed.input, settings, sending, { subject, isAnswered });
  return sendUpdate(context, { ...delivery, ...consent }, plan);
}

export function reportOf(
  context: RunContext,
  all: readonly Ended[],
  problem?: Failure,
): PlainReport<typeof spec> {
  const [first] = all;
  const incidents = all.map(({ how, incident }): Incident => ({ how, ...incident }));
  const onPrinted = () => bestEffort(context, async () => first?.state.tidy());
  return { ...incidentsReport(incidents, first?.settings.webUrl, problem ?? first?.failure), onPrinted };
}
