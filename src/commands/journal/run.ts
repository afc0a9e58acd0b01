// `incident journal`: lists and shows the creates that were sent from here, and settles those with an unknown outcome.
import { connect } from "../../api/connect.ts";
import { deliver } from "../../delivery/create-once.ts";
import { type Operation, type OperationEvent, showState } from "../../delivery/journal/events.ts";
import type { Journal } from "../../delivery/journal/journal.ts";
import { openState } from "../../delivery/journal/open-state.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { settle as lookFor, uncertainFailure } from "../../delivery/settle.ts";
import { Failure } from "../../failure.ts";
import { isGuid } from "../../incident/rules.ts";
import type { Context, System } from "../../platform/context.ts";
import { stateDirectory } from "../../settings/state.ts";
import type { OperationFacts } from "../../view/journal.ts";
import type { Flags, GlobalFlags, Input, Report, Run } from "../define-command.ts";
import type { settleOptions } from "../options.ts";
import { confirm } from "../shared/confirm.ts";
import { createNotificationNotice } from "../shared/notification-notice.ts";

export const list: Run = async (context, { global }) => {
  const operations = openJournal(context, global).list().map(factsOf);
  return {
    data: operations,
    ids: operations.map(({ id }) => id),
    page: async (style) => (await import("../../view/journal.ts")).renderOperations(style, operations),
  };
};

export const show: Run = async (context, { operands, global }) => {
  return operationReport(findOperation(openJournal(context, global), operands));
};

export const settle: Run = async (context, input) => {
  const { global, operands } = input;
  const choice = chosenOutcome(input);
  const journal = openJournal(context, global);
  const operation = findOperation(journal, operands);
  if (operation.uncertain === undefined) {
    throw new Failure(
      "usage",
      `the create of ${operation.key.id} is ${showState(operation)}: there is nothing to settle`,
      {
        hint: `see incident journal show ${operation.key.id}`,
      },
    );
  }
  if (choice === undefined || choice === "resend") {
    const client = await connect(context, global);
    const { delivering } = openDelivery(context, client, global);
    checkService(operation, delivering.service);
    if (choice === undefined) {
      await lookFor(delivering, operation);
      const now = findOperation(journal, operands);
      if (now.uncertain !== undefined) throw uncertainFailure(now);
      return operationReport(now);
    }
    await confirm(
      context,
      global,
      `Send ${nameOf(operation)} again? Should the first have counted, there may be two.`,
    );
    const beforeSend = createNotificationNotice(context, global, [operation.content.body], false);
    await beforeSend();
    await addEvent(journal, operation, { type: "resend", at: timestamp(context.system) });
    const wanted = { content: operation.content, key: operation.key, mayExist: true };
    const { failure } = await deliver({ ...delivering, beforeSend }, wanted);
    if (failure !== undefined) throw failure;
    return operationReport(findOperation(journal, operands));
  }
  if (choice.type === "created" && choice.serviceId === operation.key.id && !wasSentWithId(operation)) {
    throw new Failure(
      "usage",
      `${nameOf(operation)} was sent without an id, so the service has given it another`,
      {
        hint: "name that one with --service-id",
      },
    );
  }
  if (choice.type === "not-created") {
    await confirm(
      context,
      global,
      `Take ${nameOf(operation)} as not declared? Should it appear after all, a rerun declares it twice.`,
    );
  } else {
    await confirm(
      context,
      global,
      `Take ${nameOf(operation)} as declared? Should it not be there, no rerun will declare it.`,
    );
  }
  await addEvent(journal, operation, { ...choice, at: timestamp(context.system) });
  return operationReport(findOperation(journal, operands));
};

/** The incident and its service, for a question. */
function nameOf({ content, key }: Operation): string {
  return `"${content.body.name}" (${key.id}, at ${new URL(key.baseUrl).host}, account ${key.account ?? "none"})`;
}

function wasSentWithId({ events }: Operation): boolean {
  const sending = events.findLast((event) => event.type === "sending");
  return sending?.type === "sending" && sending.withId;
}

type Choice =
  | "resend"
  | { readonly type: "not-created" }
  | { readonly type: "created"; readonly by: "person"; readonly serviceId: string };

function chosenOutcome({ flags, operands }: Input): Choice | undefined {
  const { created, notCreated, resend, serviceId } = flags as Flags<typeof settleOptions>;
  const given = [created, notCreated, resend].filter(Boolean).length;
  if (given > 1 || (serviceId !== undefined && !created)) {
    throw new Failure("usage", "these flags cannot stand together", {
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

function openJournal(context: Context, global: GlobalFlags): Journal {
  return openState(context, stateDirectory(context, global.stateDir).value).journal;
}

/** Finds an operation by the id that was sent, or by the id of the service. */
function findOperation(journal: Journal, [wanted = ""]: readonly string[]): Operation {
  const id = wanted.toLowerCase();
  const found = journal
    .list()
    .filter(({ created, key }) => key.id === id || created?.serviceId.toLowerCase() === id);
  // Where an id was sent to several services, prefer the operation with an unknown outcome.
  const open = found.filter(({ uncertain }) => uncertain !== undefined);
  if (open.length > 1) {
    const services = open.map(({ key }) => `${key.baseUrl} (account ${key.account ?? "none"})`).join(", ");
    throw new Failure("usage", `${wanted} is open at several services: ${services}`, {
      hint: "incident create with the same definition, and the settings of one of them, settles that one",
    });
  }
  const [operation] = [...open, ...found];
  if (operation !== undefined) return operation;
  throw new Failure("missing", `nothing was sent from here under the id ${wanted}`, {
    hint: "see incident journal list; another machine, user or --state-dir has a journal of its own",
  });
}

function checkService({ key }: Operation, service: { baseUrl: string; account: string | undefined }): void {
  if (key.baseUrl === service.baseUrl && key.account === service.account) return;
  throw new Failure(
    "usage",
    `the create of ${key.id} was sent to ${key.baseUrl} (account ${key.account ?? "none"}), and the settings say ${service.baseUrl} (account ${service.account ?? "none"})`,
    {
      hint: "choose the settings that it was sent with, for example with --profile",
    },
  );
}

async function addEvent(journal: Journal, operation: Operation, event: OperationEvent): Promise<void> {
  if ((await journal.add(operation.key, operation, event)) !== undefined) return;
  throw new Failure(
    "uncertain",
    `another process went on with the create of ${operation.key.id} at this moment`,
    {
      hint: `see incident journal show ${operation.key.id}`,
    },
  );
}

function timestamp({ clock }: Pick<System, "clock">): string {
  return new Date(clock.now()).toISOString();
}

function operationReport(operation: Operation): Report {
  const facts = factsOf(operation);
  return {
    data: facts,
    page: async (style) => (await import("../../view/journal.ts")).renderOperation(style, facts),
  };
}

function factsOf(operation: Operation): OperationFacts {
  const { content, created, events, key } = operation;
  return {
    id: key.id,
    ...(created && { serviceId: created.serviceId }),
    state: showState(operation),
    name: content.body.name,
    baseUrl: key.baseUrl,
    ...(key.account && { account: key.account }),
    events: events.map((event) => ({ at: event.at, type: event.type, detail: describeEvent(event) })),
  };
}

function describeEvent(event: OperationEvent): string {
  switch (event.type) {
    case "sending":
      return event.withId ? "" : "without an id";
    case "refused":
      return event.message;
    case "uncertain":
      return event.reason;
    case "created":
      return { answer: "", reading: "found by reading", person: "a person says so" }[event.by];
    case "not-created":
    case "resend":
      return "a person says so";
  }
}
