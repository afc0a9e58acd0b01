// Asks a person for the parts of an update that the command line leaves open: incident, status, text and notification.
// Shows the update as customers will see it.
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { cancellation, Failure } from "../../failure.ts";
import { fieldsOfUpdate } from "../../incident/fields.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import type { Operations } from "../../rules/openapi/operations.ts";
import { propertiesOf } from "../../rules/schema-forms.ts";
import { listOf } from "../../text/lengths.ts";
import type { Fields } from "../../untrusted-data.ts";
import { createFieldValidator } from "../shared/flag-overrides.ts";
import { describeTarget } from "../shared/notification-notice.ts";
import { openPrompts } from "../shared/open-prompts.ts";
import { findIncident, knownIncidents } from "./find-incident.ts";
import type { UpdateFlags } from "./spec.ts";

interface Asking {
  readonly delivery: DeliveryOptions;
  readonly operations: Operations;
  /** The command line names the incident. */
  readonly isNamed: boolean;
  readonly operand: string | undefined;
  /** The command line has no text. */
  readonly needsText: boolean;
  readonly entry: Fields;
  readonly flags: UpdateFlags;
}

/** `entry` is undefined where only fields are edited. */
export async function askForUpdate(
  context: RunContext,
  global: GlobalFlags,
  { delivery, entry, flags, isNamed, needsText, operand, operations }: Asking,
): Promise<{ readonly incidentId: string; readonly entry: Fields | undefined }> {
  const { client } = delivery;
  const prompts = await openPrompts(context, global);
  const stopped = () => cancellation(context.system.signal, "nothing was sent");
  const incidentId = isNamed
    ? await findIncident(
        context,
        global,
        delivery,
        { ...flags, operand, key: flags.key, dedupKey: flags.dedupKey },
        operations,
      )
    : await chooseIncident();
  if (!needsText && "status" in entry) return { incidentId, entry };
  const incident = await client.getIncident(incidentId);
  const facts = incidentFacts(incident);
  const status =
    "status" in entry || flags.status !== undefined
      ? (entry.status ?? flags.status?.toUpperCase())
      : await prompts.choose<Status>({
          message: `What is the status of "${facts.name ?? incidentId}" now?${facts.status === undefined ? "" : ` It is ${facts.status}.`}`,
          choices: statuses.map((value) => ({ value, label: value })),
        });
  if (status === undefined) throw stopped();
  const validate = await createFieldValidator();
  const messageField = fieldsOfUpdate.find(({ name }) => name === "description");
  const description =
    entry.description ??
    (await prompts.text({
      message: "What should customers read?",
      check: (text) => {
        const problem = messageField && validate(messageField, text);
        if (text.trim() === "") return "write something: customers will read it";
        return problem && `${problem.message}: ${problem.hint}`;
      },
    }));
  if (description === undefined) throw stopped();
  const services = listOf(facts.services.map(({ id = "", name = id }) => name));
  const { addUpdate } = operations;
  const canNotify = addUpdate === undefined || propertiesOf(addUpdate.body).has("notifySubscribers");
  const notify =
    flags.notify || flags.noNotify || "notifySubscribers" in entry || !canNotify
      ? (entry.notifySubscribers ?? flags.notify ?? false)
      : await prompts
          .choose<"no" | "yes">({
            message: `Notify the subscribers of ${services}?`,
            initial: "no",
            choices: [
              { value: "no", label: "No" },
              { value: "yes", label: "Yes, as soon as it is posted" },
            ],
          })
          .then((answer) => answer && answer === "yes");
  if (notify === undefined) throw stopped();
  const asked = { ...entry, status, description, notifySubscribers: notify };
  if (global.yes) return { incidentId, entry: asked };
  const updates = [{ status, description }, ...[incident.incidentUpdates].flat()];
  const { renderIncident } = await import("../../view/incident.ts");
  const after = incidentFacts({ ...incident, lastUpdateStatus: status, incidentUpdates: updates.reverse() });
  await context.show(
    (style) => safe`\n${style.color.dim("What customers will see:")}\n\n${renderIncident(style, after)}\n`,
  );
  const next = await prompts.choose<"post" | "stop">({
    message: `Post it ${describeTarget(client.settings)}?`,
    // An accidental Enter must not notify subscribers.
    initial: notify && canNotify ? "stop" : "post",
    choices: [
      {
        value: "post",
        label:
          notify && canNotify
            ? `Post it, and notify the subscribers of ${services}`
            : "Post it without notifying",
      },
      { value: "stop", label: "Stop: post nothing" },
    ],
  });
  if (next === undefined) throw stopped();
  if (next === "stop") throw new Failure("interrupted", "declined", { hint: "nothing was sent" });
  return { incidentId, entry: asked };

  async function chooseIncident(): Promise<string> {
    const open = await knownIncidents(delivery, operations, "open");
    if (open.length === 0)
      throw new Failure("missing", "no open incident is known", {
        hint: "give the incident's id; nothing was sent",
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
    if (chosen === undefined) throw stopped();
    return chosen;
  }
}
