// Asks a person for the parts of an update that the command line leaves open, and shows what customers will see before it
// is sent.

import { propertiesOf } from "../../document/json-schema.ts";
import { cancellation, Failure } from "../../failure.ts";
import { fieldsOfUpdate } from "../../incident/definition.ts";
import type { TextField } from "../../incident/field.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Fields } from "../../untrusted-data.ts";
import { askMessage, askToSend, chooseNotify, createTextCheck } from "../sending/ask.ts";
import { describeTarget } from "../sending/consent.ts";
import { servicesOf } from "../sending/plan.ts";
import { openPrompts } from "../shared/questions.ts";
import { requestsOf, type UpdatePlan } from "./plan.ts";
import { knownIncidents, type Session } from "./session.ts";

const nothing = "nothing was sent";

/** The answer; throws a `Failure` "interrupted" where the person gave none. */
function answered<T>({ system }: RunContext, answer: T | undefined): T {
  if (answer === undefined) throw cancellation(system.signal, nothing);
  return answer;
}

export async function askForIncident(
  context: RunContext,
  global: GlobalFlags,
  session: Session,
): Promise<string> {
  const prompts = await openPrompts(context, global);
  const known = await knownIncidents(session);
  const open = known.filter(({ status }) => status !== "RESOLVED").toReversed();
  if (open.length === 0)
    throw new Failure("missing", "no open incident is known", {
      hint: `give the incident's id; ${nothing}`,
    });
  const isUnique = (name: string | undefined) => open.filter((each) => each.name === name).length === 1;
  const choices = open.map(({ id, name, status = "" }) => ({
    value: id,
    label: name ?? id,
    explanation: isUnique(name) ? status : `${status} ${id.slice(0, 8)}`.trimStart(),
  }));
  return answered(context, await prompts.choose<string>({ message: "Which incident?", choices }));
}

/** Asks for the fields of the update that `entry` lacks. */
export async function askForUpdate(
  context: RunContext,
  global: GlobalFlags,
  { client, operations }: Session,
  incidentId: string,
  entry: Fields,
): Promise<Fields> {
  const prompts = await openPrompts(context, global);
  const {
    name = incidentId,
    services,
    status: current,
  } = incidentFacts(await client.getIncident(incidentId));
  const askStatus = () =>
    prompts.choose<Status>({
      message: `What is the status of "${name}" now?${current === undefined ? "" : ` It is ${current}.`}`,
      initial: statuses.find((each) => each === current),
      choices: statuses.map((value) => ({ value, label: value })),
    });
  const status = entry.status ?? answered(context, await askStatus());
  const field = fieldsOfUpdate.find(({ name }) => name === "description") as TextField;
  const checkText = await createTextCheck();
  const text = await askMessage(prompts, "What should customers read?", (each) => checkText(field, each));
  const update = { ...entry, status, description: answered(context, text) };
  const { addUpdate } = operations;
  const canNotify = addUpdate === undefined || propertiesOf(addUpdate.body).has("notifySubscribers");
  if ("notifySubscribers" in entry || !canNotify) return update;
  const named = servicesOf([{ name, services: services.map((each) => each.name ?? each.id ?? "") }]);
  const notifySubscribers = answered(context, await chooseNotify(prompts, named, "posted", false));
  return { ...update, notifySubscribers };
}

/** Throws a `Failure` "interrupted" where the person does not agree. */
export async function confirmUpdate(
  context: RunContext,
  global: GlobalFlags,
  { settings }: Session,
  plan: UpdatePlan,
): Promise<void> {
  const answer = await askToSend(context, await openPrompts(context, global), {
    incident: plan.incident,
    planned: requestsOf(settings, plan),
    subject: `it ${describeTarget(settings)}`,
    verb: plan.post === undefined ? "Send" : "Post",
  });
  if (answered(context, answer) === "stop") throw new Failure("interrupted", "declined", { hint: nothing });
}
