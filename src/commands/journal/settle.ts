// `incident journal settle`: settles a create with an unknown outcome, or corrects an earlier settlement.
import { findInList } from "../../delivery/creates/declared.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { describeOperation } from "../../delivery/failures.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { canDecide, canRevise, lookAgain, recordDecision } from "../../delivery/settle-by-person.ts";
import { Failure } from "../../failure.ts";
import { isSameId } from "../../incident/wire.ts";
import { incidentIdOf, type OperationLog, shownState } from "../../journal/events.ts";
import type { CommandSpec, Run, RunContext } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { shell } from "../../text/advice.ts";
import { readIds } from "../shared/incident-ids.ts";
import { describeService, findOperation } from "../shared/journal.ts";
import { confirm } from "../shared/questions.ts";
import { operationReport } from "./show.ts";

export const spec = {
  operands: "<id>",
  flags: {
    created: flag.switch("--created", "it was declared: a rerun sends nothing"),
    serviceId: flag.text(
      "--service-id <guid>",
      "with --created: the id that the service assigned, if it differs",
    ),
    notCreated: flag.switch(
      "--not-created",
      "it was not declared: a rerun sends it; if the first one exists after all, there are two",
    ),
  },
  result: "page",
  examples: {
    "incident journal settle $ID": "look for it once more",
    "incident journal settle $ID --created": "you have seen it on the status page",
    "incident journal settle $ID --not-created": "you are certain that it does not exist",
  },
  notes:
    "Without a flag, the command looks for the incident and settles the create if the incident exists.\n" +
    "--created and --not-created also correct an earlier decision, until the create is sent again. --not-created also\n" +
    "records that a declared incident was deleted, if the service does not show it. What the service shows when\n" +
    "--not-created looks for it is settled as created.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, operands } = input;
  if (flags.serviceId !== undefined && !flags.created)
    throw new Failure("usage", "--service-id needs --created", { hint: "add it: the incident was declared" });
  const [id = ""] = readIds(operands);
  const [serviceId] = readIds(flags.serviceId === undefined ? [] : [flags.serviceId]);
  const { journal, log } = await findOperation(context, id);
  const created = { type: "created", by: "person", serviceId: serviceId ?? log.key.id } as const;
  const notCreated = { type: "not-created" } as const;
  const decision = flags.notCreated ? notCreated : flags.created ? created : undefined;
  if (log.uncertain === undefined && !(decision !== undefined && canDecide(log, decision))) {
    const operation = log.change === undefined ? `the create of ${log.key.id}` : describeOperation(log);
    const message = `there is nothing to settle: the outcome of ${operation} is known (${shownState(log)})`;
    throw new Failure("usage", message, { hint: `see ${shell`incident journal show ${log.key.id}`}` });
  }
  if (decision === undefined) {
    const unrecorded = await lookAgain(await connectFor(context, log), log);
    if (unrecorded !== undefined) throw unrecorded;
    return operationReport(await journal.read(log.key));
  }
  const isCreate = log.change === undefined;
  const isOwnId = decision.type === "created" && isSameId(decision.serviceId, log.key.id);
  if (isCreate && isOwnId && !wasSentWithId(log))
    throw new Failure("usage", `${nameOf(log)} was sent without an id, so the service assigned another`, {
      hint: "give the assigned id with --service-id",
    });
  if (log.uncertain === undefined && !canRevise(log)) await checkGone(context, log);
  const question =
    decision.type === "created"
      ? `Record ${nameOf(log)} as created? If it was not, no rerun sends it.`
      : `Record ${nameOf(log)} as not created? If it was, a rerun sends it twice.`;
  await confirm(context, input, question);
  if (isCreate && isOwnId && flags.serviceId === undefined) await checkThere(context, log);
  const recorder = { reporter: context, system: context.system, journal };
  return operationReport(await recordDecision(recorder, log, decision, () => connectFor(context, log)));
};

function wasSentWithId({ events, mayBeFoundById, uncertain }: OperationLog): boolean {
  if (uncertain !== undefined) return mayBeFoundById;
  const sending = events.findLast((event) => event.type === "sending");
  return sending?.type === "sending" && sending.withId;
}

/** Throws a `Failure` while the service shows the incident. After a failed read, a whole list decides. */
async function checkGone(context: RunContext, log: OperationLog): Promise<void> {
  const delivery = await connectFor(context, log);
  const id = incidentIdOf(log);
  try {
    if ((await delivery.client.findIncident(id)) === undefined) return;
  } catch (error) {
    const { isComplete, shown } = await findInList(delivery, id);
    if (shown !== undefined || !isComplete) throw error;
    return;
  }
  throw new Failure("usage", `the service shows incident ${id}, so it is not gone`, {
    hint: "nothing was changed; to declare another incident, use another id, or --new if it has none",
  });
}

/** Throws a `Failure` where the service has no incident with the id that was sent: it may have assigned another. */
async function checkThere(context: RunContext, log: OperationLog): Promise<void> {
  const { id } = log.key;
  try {
    const { client, settleFor: budget } = await connectFor(context, log);
    if ((await client.findIncident(id, { budget })) !== undefined) return;
  } catch (error) {
    if (!(error instanceof Failure) || context.system.signal.aborted) throw error;
    context.warn(`it could not be checked whether the service has ${id}: ${error.message}`);
    return;
  }
  throw new Failure("missing", `the service shows no incident ${id}`, {
    hint: "find its id there, and give it with --service-id; nothing was recorded",
  });
}

function nameOf(log: OperationLog): string {
  const { change, key, name = "an incident" } = log;
  const operation = change === undefined ? `"${name}"` : describeOperation(log);
  return `${operation} (${key.id}, at ${new URL(key.baseUrl).host}, account ${key.account ?? "none"})`;
}

/** Connects to the service of the operation. Throws a `Failure` where the settings name another. */
async function connectFor(context: RunContext, { key }: OperationLog): Promise<DeliveryOptions> {
  const delivery = await openDelivery(context);
  const [sent, own] = [key, delivery.service].map(describeService);
  if (sent === own) return delivery;
  throw new Failure("usage", `${key.id} was sent to ${sent}, but the settings name ${own}`, {
    hint: "choose the settings that it was sent with, for example with --profile",
  });
}
