// `incident journal settle`: settles a create with an unknown outcome, or corrects what a person settled.
import { connect } from "../../api/connect.ts";
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
import type { OperationLog } from "../../journal/events.ts";
import { shownState } from "../../journal/events.ts";
import { isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";
import type { FlagsOf, GlobalFlags, Input, Run, RunContext } from "../define-command.ts";
import { confirm } from "../shared/confirm.ts";
import { createNotificationNotice, notifies, servicesOf } from "../shared/notification-notice.ts";
import { openJournal } from "./open-journal.ts";
import { findOperation, operationReport } from "./run.ts";
import type { settleSpec } from "./spec.ts";

export const settle: Run<typeof settleSpec> = async (context, input) => {
  const { global, operands } = input;
  const chosen = chosenSettlement(input);
  const journal = await openJournal(context, global);
  const log = await findOperation(context, journal, operands);
  const settlement = settlementOf(chosen, log, input.flags.serviceId);
  const isDecision = settlement !== undefined && settlement !== "resend";
  if (log.uncertain === undefined && !(isDecision && canDecide(log, settlement))) {
    throw new Failure(
      "usage",
      `there is nothing to settle: the outcome of the create of ${log.key.id} is known (${shownState(log)})`,
      {
        hint: advise`see ${argv`incident journal show ${log.key.id}`}`,
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
      const beforeSend = createNotificationNotice(context, global, body, undefined).give;
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

function chosenSettlement({
  flags,
}: Input<FlagsOf<typeof settleSpec>>): Decision["type"] | "resend" | undefined {
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
  if (created) return "created";
  if (notCreated) return "not-created";
  return resend ? "resend" : undefined;
}

/** Without a flag, the incident is the one that the last answer named, if any did. */
function settlementOf(
  chosen: ReturnType<typeof chosenSettlement>,
  { events, key }: OperationLog,
  serviceId: string | undefined,
): "resend" | Decision | undefined {
  if (chosen === "not-created") return { type: chosen };
  if (chosen !== "created") return chosen;
  const answered = events.flatMap((event) => (event.type === "uncertain" && event.ids) || []).at(-1);
  return { type: chosen, by: "person", serviceId: serviceId ?? answered ?? key.id };
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
