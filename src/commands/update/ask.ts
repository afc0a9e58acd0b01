// Asks a person for the parts of an update that the command line leaves open, and shows what customers will see before it
// is sent.
import { cancellation, Failure } from "../../failure.ts";
import { fieldsOfUpdate } from "../../incident/fields.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { type Incident, type IncidentFacts, incidentFacts, updateFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { propertiesOf } from "../../rules/schema-forms.ts";
import { listOf } from "../../text/lengths.ts";
import type { Fields } from "../../untrusted-data.ts";
import { createFieldValidator } from "../shared/flag-overrides.ts";
import { describeTarget } from "../shared/notification-notice.ts";
import { openPrompts } from "../shared/open-prompts.ts";
import { knownIncidents } from "./find-incident.ts";
import type { Session } from "./open-session.ts";
import type { Changes } from "./preview.ts";

const nothing = "nothing was sent";

export async function askForIncident(
  context: RunContext,
  global: GlobalFlags,
  { delivery, operations }: Session,
): Promise<string> {
  const prompts = await openPrompts(context, global);
  const open = await knownIncidents(delivery, operations, "open");
  if (open.length === 0)
    throw new Failure("missing", "no open incident is known", {
      hint: `give the incident's id; ${nothing}`,
    });
  const isUnique = (name: string | undefined) => open.filter((each) => each.name === name).length === 1;
  const chosen = await prompts.choose<string>({
    message: "Which incident?",
    choices: open.map(({ id, name, status = "" }) => ({
      value: id,
      label: name ?? id,
      explanation: isUnique(name) ? status : `${status} ${id.slice(0, 8)}`.trimStart(),
    })),
  });
  if (chosen === undefined) throw cancellation(context.system.signal, nothing);
  return chosen;
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
  const answered = <T>(answer: T | undefined): T => {
    if (answer === undefined) throw cancellation(context.system.signal, nothing);
    return answer;
  };
  const facts = incidentFacts(await client.getIncident(incidentId));
  const current = statuses.find((each) => each === facts.status);
  const status =
    entry.status ??
    answered(
      await prompts.choose<Status>({
        message: `What is the status of "${facts.name ?? incidentId}" now?${facts.status === undefined ? "" : ` It is ${facts.status}.`}`,
        initial: current,
        choices: statuses.map((value) => ({ value, label: value })),
      }),
    );
  const validate = await createFieldValidator();
  const messageField = fieldsOfUpdate.find(({ name }) => name === "description");
  const description = answered(
    await prompts.text({
      message: "What should customers read?",
      check: (text) => {
        const problem = messageField && validate(messageField, text);
        if (text.trim() === "") return "write something: customers will read it";
        return problem && `${problem.message}: ${problem.hint}`;
      },
    }),
  );
  const { addUpdate } = operations;
  const canNotify = addUpdate === undefined || propertiesOf(addUpdate.body).has("notifySubscribers");
  if ("notifySubscribers" in entry || !canNotify) return { ...entry, status, description };
  const answer = await prompts.choose<"no" | "yes">({
    message: `Notify the subscribers of ${servicesOf(facts)}?`,
    initial: "no",
    choices: [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes, as soon as it is posted" },
    ],
  });
  return { ...entry, status, description, notifySubscribers: answered(answer) === "yes" };
}

/** Throws a `Failure` "interrupted" where the person does not agree. */
export async function confirmChanges(
  context: RunContext,
  global: GlobalFlags,
  { client }: Session,
  changes: Changes,
): Promise<void> {
  const prompts = await openPrompts(context, global);
  const after = await factsAfter(changes);
  const { renderIncident } = await import("../../view/incident.ts");
  await context.show(
    (style) => safe`\n${style.color.dim("What customers will see:")}\n\n${renderIncident(style, after)}\n`,
  );
  const notifies = changes.update?.notifySubscribers === true;
  const [verb, without] = changes.update ? ["Post it", "Post it without notifying"] : ["Send it", "Send it"];
  const next = await prompts.choose<"send" | "stop">({
    message: `${verb} ${describeTarget(client.settings)}?`,
    // An accidental Enter must not notify subscribers.
    initial: notifies ? "stop" : "send",
    choices: [
      {
        value: "send",
        label: notifies ? `Post it, and notify the subscribers of ${servicesOf(after)}` : without,
      },
      { value: "stop", label: "Stop: send nothing" },
    ],
  });
  if (next === undefined) throw cancellation(context.system.signal, nothing);
  if (next === "stop") throw new Failure("interrupted", "declined", { hint: nothing });
}

/** The incident with the changes. A page reverses a list of updates whose last one has no date yet. */
async function factsAfter({ fields, incident, update }: Changes): Promise<IncidentFacts> {
  const { oldestFirst } = await import("../../incident/updates.ts");
  const edited: Incident = { ...incident, ...fields };
  const facts = incidentFacts(edited);
  if (update === undefined) return facts;
  const updates = [...oldestFirst(facts), updateFacts(update)];
  return { ...facts, status: update.status ?? facts.status, updates };
}

function servicesOf({ services }: IncidentFacts): string {
  return listOf(services.map(({ id = "", name = id }) => name));
}
