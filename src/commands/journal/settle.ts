// `incident journal settle`: settles a create with an unknown outcome, or corrects an earlier settlement.
import { connect } from "../../api/connect.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { describeOperation } from "../../delivery/failures.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import {
  canDecide,
  canRevise,
  type Decision,
  lookAgain,
  recordDecision,
} from "../../delivery/settle-by-person.ts";
import { Failure } from "../../failure.ts";
import { kindOf, type OperationKind, type OperationLog, shownState } from "../../journal/events.ts";
import type { Journal } from "../../journal/journal.ts";
import {
  defineCommand,
  type FlagsOf,
  type Input,
  type Run,
  type RunContext,
} from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";
import { localTime } from "../../text/date-times.ts";
import { listOf } from "../../text/lengths.ts";
import { findOperation, openJournal } from "../shared/journal.ts";
import { askLine, canAsk, confirm, isYes } from "../shared/questions.ts";
import { findIds, searchJournal } from "../shared/which-incident.ts";
import { operationsReport } from "./operations.ts";

export const spec = defineCommand({
  name: "journal settle",
  operands: "<id...>",
  completions: "incidents",
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
  exclusive: [
    ["created", "notCreated"],
    ["serviceId", "notCreated"],
  ],
  result: "page",
  examples: {
    "incident journal settle $ID": "look for it once more",
    "incident journal settle $ID --created": "you have seen it on the status page",
    "incident journal settle $ID --not-created": "you are certain that it does not exist",
  },
  notes:
    "Without a flag, the command looks for the incident and settles the create if the incident exists. Where it is not\n" +
    "found, the command asks at a terminal what the status page shows.\n" +
    "The first digits of an id, and latest, name a create of this service where exactly one without a known outcome fits.\n" +
    "--created and --not-created also correct an earlier decision, until the create is sent again. --not-created also\n" +
    "records that a declared incident was deleted, if the service does not show it. What the service shows when\n" +
    "--not-created looks for it is settled as created.",
});

type Flags = FlagsOf<typeof spec>;

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, operands } = input;
  checkFlags(flags);
  const journal = await openJournal(context);
  const search = () => searchJournal(context, "uncertain");
  const logs: OperationLog[] = [];
  for (const id of await findIds(context, operands, search, { isReading: false }))
    logs.push(await findOperation(context, journal, [id]));
  if (flags.serviceId !== undefined && logs.length > 1)
    throw new Failure("usage", "--service-id belongs to one create", { hint: "settle that one alone" });
  const settled: OperationLog[] = [];
  const failures: Failure[] = [];
  for (const log of logs) {
    try {
      settled.push(await settle(context, input, journal, log));
    } catch (error) {
      // A failure of one does not stop the others.
      if (!(error instanceof Failure) || logs.length === 1 || context.system.signal.aborted) throw error;
      failures.push(error);
      settled.push(await journal.read(log.key));
    }
  }
  const report = operationsReport(settled);
  const first = failures.find(({ kind }) => kind === "uncertain") ?? failures[0];
  if (first === undefined) return report;
  const more = failures.length === 1 ? "" : ` (and ${failures.length - 1} more)`;
  return { ...report, failure: first.with({ message: first.message + more }) };
};

async function settle(
  context: RunContext,
  input: Input<Flags>,
  journal: Journal,
  log: OperationLog,
): Promise<OperationLog> {
  const { global } = input;
  const decision = decisionOf(input.flags, log);
  if (log.uncertain === undefined && !(decision !== undefined && canDecide(log, decision))) {
    const operation = log.change === undefined ? `the create of ${log.key.id}` : describeOperation(log);
    const message = `there is nothing to settle: the outcome of ${operation} is known (${shownState(log)})`;
    throw new Failure("usage", message, { hint: advise`see ${argv`incident journal show ${log.key.id}`}` });
  }
  const recorder = { reporter: context, system: context.system, journal };
  if (decision === undefined) {
    const delivery = await connectFor(context, global, log);
    try {
      await lookAgain(delivery, log);
      return await journal.read(log.key);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "uncertain" || !canAsk(context, global)) throw error;
      const now = await journal.read(log.key);
      const answer = await askOutcome(context, now);
      if (answer === undefined) throw error;
      return recordDecision(recorder, now, answer);
    }
  }
  const isCreate = log.change === undefined;
  const isOwnId = decision.type === "created" && decision.serviceId === log.key.id;
  if (isCreate && isOwnId && !wasSentWithId(log)) {
    throw new Failure("usage", `${nameOf(log)} was sent without an id, so the service assigned another`, {
      hint: "give the assigned id with --service-id",
    });
  }
  if (isCreate && log.uncertain === undefined && !canRevise(log)) await checkGone(context, global, log);
  await confirmDecision(context, input, log, decision);
  return recordDecision(recorder, log, decision, () => connectFor(context, global, log));
}

/** The entry of each kind, and the next step of a rerun. */
const words = {
  create: ["declared", "declare"],
  update: ["posted", "post"],
} as const satisfies Record<OperationKind, readonly [string, string]>;

async function confirmDecision(
  context: RunContext,
  input: Input<Flags>,
  log: OperationLog,
  { type }: Decision,
): Promise<void> {
  const [participle, verb] = words[kindOf(log)];
  const decidedAt = canRevise(log) ? log.events.at(-1)?.at : undefined;
  if (decidedAt !== undefined)
    context.warn(
      `${nameOf(log)} was settled as ${log.created === undefined ? "not " : ""}${participle} at ${timeOf(context, decidedAt)}; this replaces it`,
    );
  const question =
    type === "not-created"
      ? `Record ${nameOf(log)} as not ${participle}? If it exists after all, a rerun ${verb}s it twice.`
      : `Record ${nameOf(log)} as ${participle}? If it does not exist, no rerun will ${verb} it.`;
  await confirm(context, spec, input, question);
}

const timeOf = ({ system }: RunContext, at: string) => localTime(at, system.localOffset, "seconds");

/** The person's own look at the status page. Undefined where the person does not know. */
async function askOutcome(context: RunContext, log: OperationLog): Promise<Decision | undefined> {
  const { change, content, key } = log;
  const sent = log.events.findLast(({ type }) => type === "sending")?.at;
  const services =
    content === undefined ? "" : `, for ${listOf(content.body.services.map(({ name }) => name))}`;
  const time = sent === undefined ? "" : `, sent at ${timeOf(context, sent)}`;
  const ask = (question: string) => askLine(context, question);
  const answer = await ask(`Does the status page show ${nameOf(log)}${services}${time}? [yes/no/skip]`);
  if (/^no?$/i.test(answer)) return { type: "not-created" };
  if (!isYes(answer)) return undefined;
  if (change !== undefined || log.mayBeFoundById) return { type: "created", by: "person", serviceId: key.id };
  const id = await ask("Its id at the service, as the address of its page has it:");
  if (isGuid(id)) return { type: "created", by: "person", serviceId: id };
  context.warn(`"${id}" is not a GUID: nothing was recorded for ${key.id}`);
  return undefined;
}

function wasSentWithId({ events, mayBeFoundById, uncertain }: OperationLog): boolean {
  if (uncertain !== undefined) return mayBeFoundById;
  const sending = events.findLast((event) => event.type === "sending");
  return sending?.type === "sending" && sending.withId;
}

/** Refuses to record a declared incident as gone while the service shows it. */
async function checkGone(context: RunContext, global: GlobalFlags, log: OperationLog): Promise<void> {
  const { client } = await connectFor(context, global, log);
  const id = log.created?.serviceId ?? log.key.id;
  if ((await client.findIncident(id)) === undefined) return;
  throw new Failure("usage", `the service shows incident ${id}, so it is not gone`, {
    hint: "nothing was changed; to declare another incident, use another id, or --new if it has none",
  });
}

/** The operation and its service, for a question. */
function nameOf(log: OperationLog): string {
  const { change, key, name = "an incident" } = log;
  const operation = change === undefined ? `"${name}"` : describeOperation(log);
  return `${operation} (${key.id}, at ${new URL(key.baseUrl).host}, account ${key.account ?? "none"})`;
}

function checkFlags({ created, serviceId }: Flags): void {
  if (serviceId !== undefined && !created)
    throw new Failure("usage", "--service-id needs --created", { hint: "add it: the incident was declared" });
  if (serviceId !== undefined && !isGuid(serviceId))
    throw new Failure("usage", `"${serviceId}" cannot be an incident's id`, { hint: "an id is a GUID" });
}

/** Without --service-id, the incident is the one that the last answer named, if any did. */
function decisionOf({ created, notCreated, serviceId }: Flags, log: OperationLog): Decision | undefined {
  if (notCreated) return { type: "not-created" };
  if (!created) return undefined;
  const answered = log.events.flatMap((event) => (event.type === "uncertain" && event.ids) || []).at(-1);
  return { type: "created", by: "person", serviceId: serviceId ?? answered ?? log.key.id };
}

/** Connects to the service of the operation. Throws a `Failure` where the settings name another. */
async function connectFor(
  context: RunContext,
  global: GlobalFlags,
  { key }: OperationLog,
): Promise<DeliveryOptions> {
  const { delivery } = await openDelivery(context, await connect(context, global), global);
  const { service } = delivery;
  if (key.baseUrl === service.baseUrl && key.account === service.account) return delivery;
  const message = `${key.id} was sent to ${key.baseUrl} (account ${key.account ?? "none"}), but the settings name ${service.baseUrl} (account ${service.account ?? "none"})`;
  throw new Failure("usage", message, {
    hint: "choose the settings that it was sent with, for example with --profile",
  });
}
