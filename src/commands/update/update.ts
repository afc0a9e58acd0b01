// `incident update`, and `incident resolve` with a status of its own: checks the flags, finds each incident, and changes it.
import { describedOperation } from "../../api/known-operations.ts";
import { findNewest } from "../../delivery/batch/dedup-key.ts";
import type { EditedFields } from "../../delivery/changes/edit.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { uncertainFailure, worstOf } from "../../delivery/failures.ts";
import { idForText } from "../../delivery/incident-id.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { Failure } from "../../failure.ts";
import { incidentIdOf } from "../../journal/events.ts";
import { type CommandSpec, type Run, type RunContext, writeCommandLine } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { fieldFlags, sendFlags, statusValues } from "../../kit/shared-flags.ts";
import { commandText } from "../../text/advice.ts";
import { checkChange, type Draft, readValues, withTextOfStdin } from "../sending/fields.ts";
import { readIds } from "../shared/incident-ids.ts";
import { sentReport } from "../shared/incident-list.ts";
import { canAsk } from "../shared/questions.ts";
import { type ChangedIncident, changeIncident } from "./change.ts";

/** The flags that `incident resolve` has as well. */
export const sharedFlags = {
  key: flag.text("--key <text>", "the incident that was declared with this --key"),
  dedupKey: flag.text("--dedup-key <text>", "the newest incident that was declared with this --dedup-key"),
  ...sendFlags,
  new: flag.switch(
    "--new",
    "post it even if an equal one was posted, or the outcome of an equal one is not known",
  ),
};

export const spec = {
  operands: "[id]",
  flags: {
    status: fieldFlags.status,
    message: fieldFlags.message,
    severity: fieldFlags.severity,
    name: fieldFlags.name,
    service: fieldFlags.service,
    ifStatus: flag.choice(
      "--if-status <status>",
      "only if the incident has this status; exit 11 if it has another",
      statusValues,
    ),
    reopen: flag.switch("--reopen", "post it even if the incident is resolved"),
    ...sharedFlags,
  },
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
    "incident update $ID --service checkout --service search": "replace the affected services",
  },
  notes:
    "The update is posted as the service's own document describes it. Without --status, the status stays as it is.\n" +
    "Where an equal update was posted, nothing is posted, so that the same command can run again; where the status has\n" +
    "moved on since, that is exit 11. Nothing is posted after a RESOLVED without --reopen.\n" +
    "Files are for incident apply.",
} as const satisfies CommandSpec;

type UpdateInput = Parameters<Run<typeof spec>>[1];

/** Changes the incidents of the operands in turn, or the one of a key. For `resolve`, with the status RESOLVED. */
export const run: Run<typeof spec> = async (context, given) => {
  const typed = await withTextOfStdin(context, given);
  const flags = { ...typed.flags, ...(given.spec.name === "resolve" && { status: "resolved" }) };
  const also = flags.message === undefined ? "; the text of an update follows --message" : "";
  const operands = [...new Set(readIds(typed.operands, also))];
  const { asks, fields, needsText, update } = await checkInput(context, { ...typed, operands, flags });
  const delivery = await openDelivery(context, flags);
  // Each of several is resolved by the same operation.
  if (operands.length > 1)
    describedOperation(await delivery.operations(), delivery.client.settings, "addUpdate", operands[0]);
  const change = async (operand: string | undefined) => {
    const isNamed = [operand, flags.key, flags.dedupKey].some((each) => each !== undefined);
    const isAsked = asks && (needsText || !isNamed);
    const dialogue = isAsked ? await import("../sending/dialogue.ts") : undefined;
    const incidentId =
      isNamed || dialogue === undefined
        ? await findIncident(delivery, operand ?? "", flags)
        : await dialogue.askForIncident(context, delivery);
    const input = { ...typed, operands: operand === undefined ? [] : [operand] };
    const wanted = { context, delivery, fields, flags, incidentId, input, isAsked, update };
    if (dialogue === undefined) return changeIncident(wanted);
    const commandOf = ({ update: { description: message, notifySubscribers: notify, status } }: Draft) => {
      const flags = { ...typed.flags, dedupKey: undefined, key: undefined, message, notify, status };
      const command = commandText(writeCommandLine(context, { ...typed, operands: [incidentId], flags }));
      return { command, purpose: "go on with these answers" };
    };
    return dialogue.withAnswers(commandOf, async (keep) => {
      const given = { incident: {}, update: update ?? {} };
      if (needsText) {
        const asked = await dialogue.askForUpdate(context, delivery, incidentId, given, keep, flags.reopen);
        return changeIncident({ ...wanted, update: asked });
      }
      keep(given);
      return changeIncident(wanted);
    });
  };
  const changed: ChangedIncident[] = [];
  const failures: Failure[] = [];
  for (const operand of operands.length === 0 ? [undefined] : operands) {
    try {
      const result = await change(operand);
      if (!("incident" in result)) return result;
      changed.push(result);
      if (result.failure !== undefined) failures.push(result.failure);
    } catch (error) {
      if (!(error instanceof Failure) || operands.length < 2) throw error;
      context.warn(`${operand}: ${error.message}`);
      failures.push(error);
      if (context.system.signal.aborted) break;
    }
  }
  const failure = operands.length < 2 ? failures[0] : failureOf(operands.length, changed, failures);
  const incidents = changed.map(({ how, incident }) => ({ how, ...incident }));
  return sentReport(delivery, incidents, typed.operands.length, failure);
};

function failureOf(all: number, changed: readonly ChangedIncident[], failures: readonly Failure[]) {
  const isPartial = changed.some(({ how }) => how === "posted");
  const worst = worstOf(failures, isPartial);
  const hint = "the lines above say why each other is not; run it again with the ids of these alone";
  return worst?.with({
    message: `${changed.length} of ${all} incidents are resolved; ${worst.message}`,
    commands: failures.flatMap(({ details }) => details.commands ?? []),
    ...(worst.kind === "partial" && { hint }),
  });
}

type Keys = Pick<UpdateInput["flags"], "dedupKey" | "key">;

/** The service's own id. Throws a `Failure`. */
async function findIncident(delivery: DeliveryOptions, operand: string, { dedupKey, key }: Keys) {
  const { journal, service } = delivery;
  if (dedupKey === undefined) {
    const named = key === undefined ? operand : idForText(service, key);
    const log = await journal.read({ ...service, id: named });
    // A service may tell its ids apart by letter case, so one that the journal does not know stays as it is typed.
    return log.state === "new" ? named : incidentIdOf(log);
  }
  const newest = await findNewest(delivery, dedupKey);
  if (newest?.log.uncertain !== undefined) throw uncertainFailure(delivery, newest.log, undefined);
  if (newest?.incident === undefined)
    throw new Failure("missing", `no incident was declared with the dedup key "${dedupKey}"`, {
      hint: "check the key and the account; nothing was sent",
    });
  return newest.incident.id;
}

/** Throws a `Failure` "usage" for more than one way to name an incident, and for none. */
function checkTarget(operands: readonly string[], { dedupKey, key }: Keys, asks: boolean): void {
  const keys = [key, dedupKey].filter((each) => each !== undefined);
  if (keys.length + Math.min(operands.length, 1) > 1)
    throw new Failure("usage", "the incident is named twice", {
      hint: "give one of its id, --key and --dedup-key",
    });
  if (keys.some((text) => text.trim() === "") || (keys.length + operands.length === 0 && !asks))
    throw new Failure("usage", "no incident was named", {
      hint: "give its id, --key or --dedup-key; incident list --open and incident journal list show ids",
    });
}

/** Everything that is known before the network is used. Throws a `Failure` "usage". */
async function checkInput(context: RunContext, { flags, operands }: UpdateInput) {
  const { confirm, dryRun } = flags;
  if (operands.length > 1 && (confirm !== undefined || dryRun))
    throw new Failure("usage", "--confirm and --dry-run are for one incident", {
      hint: "give one id at a time; nothing was sent",
    });
  const asks = canAsk(context) && !dryRun;
  checkTarget(operands, flags, asks);
  const draft = await readValues(flags, await context.workspace.project());
  const fields = draft.incident as EditedFields;
  const isEdit = Object.keys(draft.update).length === 0 && Object.keys(fields).length > 0;
  const update = isEdit ? undefined : draft.update;
  const needsText = update !== undefined && update.description === undefined;
  if (needsText && !asks)
    throw new Failure("usage", "--message must be given", {
      hint: "add --message with the text that customers read; nothing was sent",
    });
  await checkChange(context, { ...fields, ...(update && !needsText && { incidentUpdates: [update] }) });
  return { asks, fields, needsText, update };
}
