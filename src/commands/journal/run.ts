// `incident journal`: lists and shows the creates that were sent from here, and settles those with an unknown outcome.
import { connect } from "../../api/connect.ts";
import { readJournalSettings, readKnownServices } from "../../api/settings-files.ts";
import { checkState } from "../../delivery/journal/check-state.ts";
import { type OperationEvent, type OperationLog, shownState } from "../../delivery/journal/events.ts";
import type { Journal } from "../../delivery/journal/journal.ts";
import { failureOfReading } from "../../delivery/journal/journal-errors.ts";
import { openState } from "../../delivery/journal/open-state.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import {
  canDecide,
  canRevise,
  type Decision,
  lookAgain,
  recordDecision,
  resend,
} from "../../delivery/settle-by-person.ts";
import { Failure } from "../../failure.ts";
import { isGuid } from "../../rules/forms.ts";
import { stateDirectory } from "../../settings/locations.ts";
import type { OperationFacts } from "../../view/journal.ts";
import type { FlagsOf, GlobalFlags, Input, Report, Run, RunContext } from "../define-command.ts";
import { confirm } from "../shared/confirm.ts";
import { createNotificationNotice, notifies, servicesOf } from "../shared/notification-notice.ts";
import type { listSpec, settleSpec } from "./spec.ts";

/** The operations of a page, unless `--limit` says otherwise. */
const pageSize = 50;

export const list: Run<typeof listSpec> = async (context, { flags: { limit = pageSize }, global }) => {
  const { broken, isCut, logs } = await reading(async () =>
    (await openJournal(context, global)).list({ limit }),
  );
  // One entry that cannot be read must not hide the others.
  for (const { failure } of broken) context.warn(failure.message);
  if (isCut)
    context.warn(
      `only the newest ${limit} creates and those without a known outcome are listed: --limit ${Math.max(1, limit) * 10} lists more`,
    );
  const operations = logs.map(factsOf).reverse();
  return {
    data: operations,
    ids: operations.map(({ id }) => id),
    page: async (style) => (await import("../../view/journal.ts")).renderOperations(style, operations),
  };
};

export const show: Run = async (context, { operands, global }) => {
  return operationReport(
    await reading(async () => findOperation(context, global, await openJournal(context, global), operands)),
  );
};

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? failureOfReading(error) : error;
  }
}

export const settle: Run<typeof settleSpec> = async (context, input) => {
  const { global, operands } = input;
  const settlement = chosenSettlement(input);
  const journal = await openJournal(context, global);
  const log = await findOperation(context, global, journal, operands);
  const isDecision = settlement !== undefined && settlement !== "resend";
  if (log.uncertain === undefined && !(isDecision && canDecide(log, settlement))) {
    throw new Failure(
      "usage",
      `there is nothing to settle: the outcome of the create of ${log.key.id} is known (${shownState(log)})`,
      {
        hint: `see incident journal show ${log.key.id}`,
      },
    );
  }
  if (settlement === undefined || settlement === "resend") {
    const { delivery } = await openDelivery(context, await connect(context, global), global);
    checkService(log, delivery.service);
    if (settlement === undefined) await lookAgain(delivery, log);
    else {
      const body = log.content === undefined ? [] : [log.content.body];
      const notice = body.some(notifies) ? ` It notifies the subscribers of ${servicesOf(body)}.` : "";
      await confirm(
        context,
        global,
        `Send ${nameOf(log)} again? If the first was created, there may be two.${notice}`,
      );
      const beforeSend = createNotificationNotice(context, global, body, undefined);
      await resend({ ...delivery, beforeSend }, log);
    }
    return operationReport(await journal.read(log.key));
  }
  if (settlement.type === "created" && settlement.serviceId === log.key.id && !wasSentWithId(log)) {
    throw new Failure("usage", `${nameOf(log)} was sent without an id, so the service assigned another`, {
      hint: "give the assigned id with --service-id",
    });
  }
  if (log.uncertain === undefined && !canRevise(log)) await checkGone(context, global, log);
  const question =
    settlement.type === "not-created"
      ? `Record ${nameOf(log)} as not declared? If it exists after all, a rerun declares it twice.`
      : `Record ${nameOf(log)} as declared? If it does not exist, no rerun will declare it.`;
  const known = `${nameOf(log)} was settled as ${log.created === undefined ? "not declared" : "declared"}. `;
  await confirm(context, global, canRevise(log) ? known + question : question);
  return operationReport(
    await recordDecision({ reporter: context, system: context.system, journal }, log, settlement),
  );
};

function wasSentWithId({ events, mayBeFoundById, uncertain }: OperationLog): boolean {
  if (uncertain !== undefined) return mayBeFoundById;
  const sending = events.findLast((event) => event.type === "sending");
  return sending?.type === "sending" && sending.withId;
}

/** Refuses to record a declared incident as gone while the service shows it. */
async function checkGone(context: RunContext, global: GlobalFlags, log: OperationLog): Promise<void> {
  const { client, journal } = await connect(context, global);
  const { delivery } = await openDelivery(context, { client, journal }, global);
  checkService(log, delivery.service);
  const id = log.created?.serviceId ?? log.key.id;
  if ((await client.findIncident(id)) === undefined) return;
  throw new Failure("usage", `the service shows incident ${id}, so it is not gone`, {
    hint: "nothing was changed; to declare another incident, use another id, or --new if it has none",
  });
}

/** The incident and its service, for a question. */
function nameOf({ key, name }: OperationLog): string {
  return `"${name ?? "an incident"}" (${key.id}, at ${new URL(key.baseUrl).host}, account ${key.account ?? "none"})`;
}

type Settlement = "resend" | Decision;

function chosenSettlement({ flags, operands }: Input<FlagsOf<typeof settleSpec>>): Settlement | undefined {
  const { created, notCreated, resend, serviceId } = flags;
  const outcomes = [created, notCreated, resend].filter(Boolean).length;
  if (outcomes > 1 || (serviceId !== undefined && !created)) {
    throw new Failure("usage", "these flags cannot be used together", {
      hint: "give one of --created (with --service-id, if it is another), --not-created and --resend",
    });
  }
  if (serviceId !== undefined && !isGuid(serviceId)) {
    throw new Failure("usage", `"${serviceId}" cannot be an incident's id`, { hint: "an id is a GUID" });
  }
  if (created) return { type: "created", by: "person", serviceId: serviceId ?? (operands[0] as string) };
  if (notCreated) return { type: "not-created" };
  return resend ? "resend" : undefined;
}

async function openJournal(context: RunContext, global: GlobalFlags): Promise<Journal> {
  const folder = stateDirectory(context.system, global.stateDir).value;
  await checkState(context, folder);
  return (await openState(context, folder, await readJournalSettings(context, global))).journal;
}

/** Finds an operation by the id that was sent, or by the id of the service. */
async function findOperation(
  context: RunContext,
  global: GlobalFlags,
  journal: Journal,
  [operand = ""]: readonly string[],
): Promise<OperationLog> {
  const services = await readKnownServices(context, global);
  const { broken, logs: found } = await context.withSpinner(
    () => "reading the journal",
    () => journal.find(operand.toLowerCase(), services),
  );
  // Where an id was sent to several services, prefer the operation with an unknown outcome.
  const open = found.filter(({ uncertain }) => uncertain !== undefined);
  if (open.length > 1) {
    const services = open.map(({ key }) => `${key.baseUrl} (account ${key.account ?? "none"})`).join(", ");
    throw new Failure("usage", `${operand} is open at several services: ${services}`, {
      hint: "incident create with the same definition, and the settings of one of them, settles that one",
    });
  }
  const [log] = [...open, ...found];
  if (log !== undefined) return log;
  // It may be the entry that cannot be read.
  const [unreadable] = broken;
  if (unreadable !== undefined) throw unreadable.failure;
  throw new Failure("missing", `no create with the id ${operand} was sent from here`, {
    hint: "see incident journal list; other machines, users and state directories have their own journals",
  });
}

function checkService(
  { key }: OperationLog,
  service: { baseUrl: string; account: string | undefined },
): void {
  if (key.baseUrl === service.baseUrl && key.account === service.account) return;
  throw new Failure(
    "usage",
    `the create of ${key.id} was sent to ${key.baseUrl} (account ${key.account ?? "none"}), but the settings name ${service.baseUrl} (account ${service.account ?? "none"})`,
    {
      hint: "choose the settings that it was sent with, for example with --profile",
    },
  );
}

function operationReport(log: OperationLog): Report {
  const facts = factsOf(log);
  return {
    data: facts,
    page: async (style) => (await import("../../view/journal.ts")).renderOperation(style, facts),
  };
}

function factsOf(log: OperationLog): OperationFacts {
  const { created, events, key, name = "" } = log;
  return {
    id: key.id,
    ...(created && { serviceId: created.serviceId }),
    state: shownState(log),
    name,
    baseUrl: key.baseUrl,
    ...(key.account && { account: key.account }),
    events: events.map((event) => ({ at: event.at, type: event.type, detail: describeEvent(event) })),
  };
}

function describeEvent(event: OperationEvent): string {
  switch (event.type) {
    case "sending": {
      const { policyOverride: reason, withId } = event;
      const override = reason === "" ? "against the policy" : `against the policy: ${reason}`;
      return [...(withId ? [] : ["without an id"]), ...(reason === undefined ? [] : [override])].join("; ");
    }
    case "refused":
      return event.message;
    case "unsent":
    case "uncertain":
      return event.reason;
    case "created":
      return { answer: "", reading: "found by reading", person: "settled by a person" }[event.by];
    case "not-created":
    case "resend":
      return "settled by a person";
    case "acknowledged":
      return "";
    case "pruned":
      return `${event.summary.state}; the text was dropped`;
  }
}
