// `incident update`, and `incident resolve` with a status of its own: finds the incident, plans the requests, gets the
// consent to all of them, and sends them.
import { type EditedFields, makeEdit } from "../../delivery/changes/edit.ts";
import { type Posted, postOnce } from "../../delivery/changes/post-once.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { bestEffort, Failure } from "../../failure.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import {
  type CommandSpec,
  defineCommand,
  type FlagsOf,
  type Input,
  type Run,
  type RunContext,
} from "../../kit/define-command.ts";
import { flag, inGroup } from "../../kit/flags.ts";
import { noPage, type Report } from "../../kit/report.ts";
import {
  confirmFlags,
  emergencyFlags,
  exclusiveConfirm,
  exclusiveJournal,
  exclusiveNotify,
  fieldFlags,
  journalFlags,
  notifyFlags,
  statusValues,
} from "../../kit/shared-flags.ts";
import { localTime } from "../../text/date-times.ts";
import { checkEntry, fieldsOf, readValues, withTextOfStdin } from "../sending/fields.ts";
import { type DryRun, type Preview, pageForCustomers, previewOf, reportDryRun } from "../sending/preview.ts";
import { checkConfirmFlag, type Sending, send } from "../sending/send.ts";
import { incidentsReport } from "../shared/incident-list.ts";
import { canAsk } from "../shared/questions.ts";
import { planChange, requestsOf, type UpdatePlan } from "./plan.ts";
import { checkTarget, findIncident, openSession, type Session, type Target } from "./session.ts";

/** The flags that `incident resolve` has as well. */
export const sharedFlags = {
  ...inGroup("Which incident, in place of its id", {
    key: flag.text("--key <text>", "the incident that was declared with this --key"),
    dedupKey: flag.text("--dedup-key <text>", "the newest incident that was declared with this --dedup-key"),
  }),
  ...inGroup("Notify and preview", {
    ...notifyFlags,
    dryRun: flag.switch("--dry-run", "print the requests and send nothing"),
    ...confirmFlags,
  }),
  ...inGroup("In an emergency", {
    new: flag.switch(
      "--new",
      "post it even if an equal one was posted, or the outcome of an equal one is not known",
    ),
  }),
  ...journalFlags,
  ...emergencyFlags,
};

export const exclusive = [exclusiveNotify, exclusiveConfirm, exclusiveJournal] as const;

export const spec = defineCommand({
  name: "update",
  operands: "[id]",
  completions: "incidents",
  flags: {
    ...inGroup("What", {
      status: fieldFlags.status,
      message: fieldFlags.message,
      severity: fieldFlags.severity,
      name: fieldFlags.name,
      service: fieldFlags.service,
    }),
    ...inGroup("When", {
      ifStatus: flag.text(
        "--if-status <status>",
        "only if the incident has this status; exit 11 if it has another",
        statusValues,
      ),
      reopen: flag.switch("--reopen", "post it even if the incident is resolved"),
    }),
    ...sharedFlags,
  },
  exclusive,
  result: "incidents",
  modes: { dryRun: "requests" },
  examples: {
    "incident update": "at a terminal: asks which incident, and for the rest",
    "incident update $ID --status monitoring --message 'A fix is live. We are watching it.'":
      "post an update",
    "incident update $ID --status identified --message 'We found the cause.' --notify":
      "and tell subscribers",
    "incident update $ID --severity critical": "correct the severity, without an update",
    "incident update --dedup-key checkout-eu --status identified --message 'We found the cause.'":
      "the open incident of an alert",
    "incident update $ID --status monitoring --message 'A fix is live.' --if-status identified":
      "in a runbook: only after the step before",
    "generate | incident update $ID --status monitoring --message -": "with a text from another program",
    "incident update $ID --service checkout": "correct the affected services",
  },
  notes:
    "The update is posted as the service's own document describes it. Without --status, the status stays as it is.\n" +
    "Where an equal update was posted, nothing is posted, so that the same command can run again; where the status has\n" +
    "moved on since, that is exit 11. Nothing is posted after a RESOLVED without --reopen.\n" +
    "Files are for incident apply.",
});

type UpdateFlags = FlagsOf<typeof spec>;
type UpdateInput = Input<UpdateFlags>;

/** The command line as it was typed, for the command that a person confirms. */
interface Typed {
  readonly spec: CommandSpec;
  readonly input: Input;
}

export const run: Run<typeof spec> = async (context, given) => {
  const input = await withTextOfStdin(context, given);
  const changed = await changeIncident(context, input, { spec, input });
  return "incident" in changed ? reportOf(context, [changed]) : changed;
};

/** One incident after the run. */
export interface ChangedIncident extends Sent, Pick<Session, "settings" | "state"> {}

/** Changes one incident; with --dry-run, the report of its requests. */
export async function changeIncident(
  context: RunContext,
  input: UpdateInput,
  typed: Typed,
): Promise<ChangedIncident | DryRun> {
  const { flags, global } = input;
  const { asks, needsText, target, ...wanted } = await checkInput(context, input);
  const session = await openSession(context, global, { ...target, ...flags });
  const { delivery, settings } = session;
  const isNamed = Object.values(target).some((each) => each !== undefined);
  const asked = asks && (needsText || !isNamed) ? await import("./ask.ts") : undefined;
  const incidentId =
    isNamed || asked === undefined
      ? await findIncident(context, session, target)
      : await asked.askForIncident(context, global, session);
  const entry =
    needsText && asked !== undefined
      ? await asked.askForUpdate(context, global, session, incidentId, wanted.entry ?? {})
      : wanted.entry;
  const isResolving = typed.spec.name === "resolve";
  const plan = await planChange(context, session, incidentId, { ...wanted, entry, isResolving }, flags);
  const { edit, incident, post } = plan;
  if (edit === undefined && post === undefined) {
    context.info(describeNothing(context, plan));
    if (flags.dryRun) return { is: "requests", data: [], page: noPage, requests: [] };
    return { ...session, how: "posted-before", incident };
  }
  if (post?.goesBack !== undefined)
    context.info(`the status goes back: from ${post.goesBack} to ${post.request.entry.status}`);
  const planned = requestsOf(settings, plan);
  const incidents = [planned];
  // The digest covers the changed fields, and not those that an edit carries over.
  const terms = { isNew: flags.new ?? false, equalOnes: flags.new ? post?.equalOnes : undefined };
  const sending: Sending = {
    input: typed.input,
    settings,
    incidents,
    preview: async () => previewOf({ ...typed, incidents, terms }),
    subject: `${post === undefined ? "Edit" : "Post the update of"} "${nameOf(incident)}"`,
    page: asked && pageForCustomers(incident, planned),
  };
  const show = async (preview: Preview) => reportDryRun(context, preview);
  return send(context, sending, show, async (consent) => {
    const sent = await sendUpdate(context, { ...delivery, ...consent }, plan);
    return { ...session, ...sent };
  });
}

/** Everything that is known before the network is used. Throws a `Failure` "usage". */
async function checkInput(context: RunContext, { flags, global, operands }: UpdateInput) {
  checkConfirmFlag(flags);
  const target: Target = { operand: operands[0], key: flags.key, dedupKey: flags.dedupKey };
  const asks = canAsk(context, global) && !flags.dryRun;
  checkTarget(target, asks);
  const { ifStatus } = flags;
  if (ifStatus !== undefined && !statuses.some((each) => each === ifStatus.toUpperCase()))
    throw new Failure("usage", `--if-status: "${ifStatus}" is not a status`, {
      hint: `write one of ${statuses.join(", ")}`,
    });
  const given = fieldsOf(flags);
  const { incident, update } = await readValues(context, given, (await context.workspace.catalog()).read);
  const fields = incident as EditedFields;
  const isEdit = Object.keys(update).length === 0 && Object.keys(fields).length > 0;
  const entry = isEdit ? undefined : update;
  const needsText = entry !== undefined && entry.description === undefined;
  if (needsText && !asks)
    throw new Failure("usage", "--message must be given", {
      hint: "add --message with the text that customers read; nothing was sent",
    });
  if (entry !== undefined && !needsText) await checkEntry(context, entry);
  return { asks, entry, fields, needsText, target };
}

interface Sent {
  readonly how: string;
  readonly incident: Incident;
  readonly failure?: Failure | undefined;
}

/** The edit first, so that no update is about a severity that customers do not see yet. */
async function sendUpdate(
  context: RunContext,
  options: DeliveryOptions,
  { edit, ifStatus, incident, post }: UpdatePlan,
): Promise<Sent> {
  const edited =
    edit &&
    (await makeEdit({ ...options, edit: edit.operation }, { incident, fields: edit.fields, ifStatus }));
  if (edited !== undefined) {
    const how = edited.how === "edited" ? "edited" : "already edited";
    context.info(`${how} ${incident.id}  ${nameOf(edited.incident)}`);
  }
  if (post === undefined) return edited ?? { how: "edited-before", incident };
  try {
    const request = { ...post.request, incident: edited?.incident ?? post.request.incident };
    const posted = await postOnce({ ...options, addUpdate: post.addUpdate }, request);
    context.info(describePosted(context, posted, request.entry.status));
    return posted;
  } catch (error) {
    if (!(error instanceof Failure) || edited === undefined) throw error;
    const kind = error.kind === "uncertain" ? "uncertain" : "partial";
    return { ...edited, failure: error.with({ kind, message: `the edit is made; ${error.message}` }) };
  }
}

function nameOf(incident: Incident): string {
  return incidentFacts(incident).name ?? incident.id;
}

function describePosted(
  context: RunContext,
  { how, incident, since }: Pick<Posted, "how" | "incident" | "since">,
  status: string | undefined,
): string {
  const what = `${status} of ${incident.id}  ${nameOf(incident)}`;
  if (how === "posted") return `posted ${what}`;
  return `already posted ${what}${since === undefined ? "" : ` (from here, ${localTime(since, context.system.localOffset)})`}`;
}

/** For a plan that sends nothing. */
function describeNothing(context: RunContext, { incident, posted }: UpdatePlan): string {
  if (posted === undefined) return `${incident.id} has these values already: nothing was sent`;
  const { since, status } = posted;
  if (status === "RESOLVED" && isResolved(incident) && since === undefined)
    return `already resolved ${incident.id}  ${nameOf(incident)}: nothing was sent`;
  return `${describePosted(context, posted, status)}: nothing was sent`;
}

export function reportOf(
  context: RunContext,
  all: readonly ChangedIncident[],
  problem?: Failure,
): Report<"incidents"> {
  const [first] = all;
  const incidents = all.map(({ how, incident }): Incident => ({ how, ...incident }));
  const onPrinted = () => bestEffort(context, async () => first?.state.tidy());
  return { ...incidentsReport(incidents, first?.settings.webUrl, problem ?? first?.failure), onPrinted };
}
