// The answer to an input for which a template declares nothing: it posts the end of an alert, or names its open incident.
import { type Connection, connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { compareStarts, describeOver, findUnclosed } from "../../delivery/batch/dedup-key.ts";
import { endsWith, postForAlert } from "../../delivery/changes/post-for-alert.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { idForGeneration } from "../../delivery/incident-id.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, Failure } from "../../failure.ts";
import { operationNouns, reasonFor } from "../../incident/contract/describe-operations.ts";
import { describeLeftOut, updateBody } from "../../incident/contract/update-body.ts";
import type { Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { noPage } from "../../kit/report.ts";
import type { AddUpdate } from "../../rules/openapi/operations.ts";
import type { NotApplicable } from "../../source/templates/alert-rule.ts";
import { inWebApplication } from "../../text/advice.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { warnOfUnknownKey } from "../shared/journal/own-journal.ts";
import { checkEntry } from "../update/read-changes.ts";
import type { CreateInput } from "./check-input.ts";

/** The `when` of the template does not match. Throws a `Failure` where the end of the alert could not be posted. */
export async function reportNotApplicable(
  context: RunContext,
  input: CreateInput,
  { alertStarts, because, resolve, ...found }: NotApplicable,
) {
  const dedupKey = input.flags.dedupKey ?? found.dedupKey;
  const nothing = { data: { how: "not-applicable", because }, ids: [], page: noPage, markdown: noPage };
  const report = { ...nothing, curl: noPage };
  context.info(`nothing to declare: ${because}`);
  if (dedupKey === undefined || input.flags.dryRun || resolve?.isOver === false) return report;
  const alert = { alertStarts, dedupKey };
  if (resolve === undefined) {
    // Nothing was to be sent, so that a service that cannot be read is no failure.
    await bestEffort(context, async () => void (await endAlert(context, input, alert, undefined)));
    return report;
  }
  return (await endAlert(context, input, alert, resolve.update)) ?? report;
}

/** Posts the update to the open incident of the key; undefined where a warning names the next action. */
async function endAlert(
  context: RunContext,
  input: CreateInput,
  { alertStarts, dedupKey }: { readonly alertStarts: readonly string[]; readonly dedupKey: string },
  update: Update | undefined,
) {
  const { flags, global } = input;
  const connection = await connect(context, { ...global, readsDocument: true });
  const { webUrl } = connection.client.settings;
  const { noJournal } = flags;
  const opened = await openDelivery(context, connection, { ...global, noJournal, dedupKey });
  const delivery = { ...opened.delivery, alertStarts };
  let found = await findUnclosed(delivery, dedupKey);
  if (update !== undefined && found !== undefined && found.open === undefined) {
    const { lookAgain } = await import("../../delivery/settle-by-person.ts");
    await lookAgain(delivery, await delivery.journal.read({ ...delivery.service, id: found.id }));
    found = await findUnclosed(delivery, dedupKey);
  }
  if (found === undefined) {
    if (update !== undefined) warnOfUnknownKey(context, delivery, connection.journal);
    return undefined;
  }
  if (found.over !== undefined) {
    context.info(describeOver(found.over));
    return incidentsReport([{ how: "over", ...found.over }], webUrl);
  }
  const id = found.open?.id ?? found.id;
  const place = inWebApplication(incidentLink(webUrl, id));
  if (found.open === undefined) {
    context.warn(
      `the incident of this alert was sent as ${id}, and its outcome is not known: check whether it exists ${place}, then settle it with incident journal settle ${id}`,
    );
    return undefined;
  }
  const incident = `${id}  ${incidentFacts(found.open).name ?? ""}`;
  if (update === undefined) {
    context.warn(
      `the incident of this alert is open: ${incident}; if the alert is over, post the update ${place}: the template has no resolve`,
    );
    return undefined;
  }
  // Before the post, so that the same end that is delivered once more ends no later incident.
  await (await compareStarts(delivery, found.id)).noteStarts?.();
  return postUpdate(context, input, connection, delivery, {
    declaredId: found.id,
    incident: found.open,
    entry: update,
  });
}

/** The alert fires again after an update that said that it was over: the first text is posted again. */
export async function postFirstText(
  context: RunContext,
  input: CreateInput,
  connection: Connection,
  delivery: DeliveryOptions,
  {
    dedupKey,
    ending,
    first,
    incident,
  }: {
    readonly dedupKey: string;
    readonly ending: Update;
    readonly first: Update;
    readonly incident: Incident;
  },
) {
  if (!endsWith(incident, ending)) return undefined;
  const declaredId =
    (await findUnclosed(delivery, dedupKey))?.id ?? idForGeneration(delivery.service, dedupKey, 0);
  const entry = { ...first, status: first.status ?? "INVESTIGATING" };
  return postUpdate(context, input, connection, delivery, { declaredId, incident, entry });
}

async function postUpdate(
  context: RunContext,
  { flags }: CreateInput,
  { client: { settings } }: Connection,
  delivery: DeliveryOptions,
  update: { readonly declaredId: string; readonly incident: Incident; readonly entry: Update },
) {
  const { declaredId, entry, incident } = update;
  const { name = "", severity = "" } = incidentFacts(incident);
  const named = `${incident.id}  ${name}`;
  const place = inWebApplication(incidentLink(settings.webUrl, incident.id));
  const addUpdate = await findAddUpdate(context, settings, (reason) =>
    context.warn(`the incident of this alert is open: ${named}; post ${entry.status} ${place}: ${reason}`),
  );
  if (addUpdate === undefined) return undefined;
  await checkEntry(context, flags, { ...entry }, { severity });
  const leftOut = describeLeftOut(addUpdate, [entry]);
  if (leftOut !== undefined) context.warn(leftOut);
  const confirm = settings.confirm?.value ?? "never";
  const mayNotify = updateBody(addUpdate, entry).notifySubscribers;
  if (confirm === "always" || (confirm === "notify" && mayNotify))
    throw new Failure("confirmation", `${entry.status} of ${named} needs a confirmation`, {
      hint: `nothing was sent; post it with incident update ${incident.id}, or ${place}`,
    });
  const posted = await postForAlert(
    { ...delivery, addUpdate },
    { declaredId, entry: updateBody(addUpdate, entry), incidentId: incident.id },
  );
  if (posted.how === "taken-over") {
    context.warn(
      `${named} has an update of another person: nothing was posted; post ${entry.status} ${place} when it is over`,
    );
    return undefined;
  }
  context.info(`${posted.how === "posted" ? "posted" : "already posted"} ${entry.status} of ${named}`);
  return incidentsReport([{ how: posted.how, ...posted.incident }], settings.webUrl, posted.failure);
}

/** Undefined where the service's document lacks the operation. Throws a `Failure` where it cannot be read. */
async function findAddUpdate(
  context: RunContext,
  settings: Connection["client"]["settings"],
  warn: (reason: string) => void,
): Promise<AddUpdate | undefined> {
  const known = await operationsOf(context, settings);
  if (!known.isKnown) {
    const message = `it is not known whether the service takes updates: ${known.failure.message}`;
    throw known.failure.with({ kind: "unavailable", message });
  }
  const { addUpdate } = known.operations;
  if (addUpdate === undefined)
    warn(
      `the service's document does not describe ${operationNouns.addUpdate}: ${reasonFor(known.operations, "addUpdate")}`,
    );
  return addUpdate;
}
