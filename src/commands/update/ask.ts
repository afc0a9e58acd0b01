// Asks a person which incident is meant, and for the parts of an update that the command line leaves open.
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { propertiesOf } from "../../document/json-schema.ts";
import { Failure } from "../../failure.ts";
import { incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Fields } from "../../untrusted-data.ts";
import { askMissing, openDialogue, questions } from "../sending/dialogue.ts";
import { inOrder, mostListed } from "../shared/incident-list.ts";
import { operationsFor } from "./change.ts";

export async function askForIncident(
  context: RunContext,
  global: GlobalFlags,
  delivery: DeliveryOptions,
): Promise<string> {
  const { given, prompts } = await openDialogue(context, global);
  const { list } = await operationsFor(delivery);
  const entries = list ? (await delivery.client.listIncidents(list, { most: mostListed })).entries : [];
  const open = inOrder(entries.filter((incident) => !isResolved(incident))).map(incidentFacts);
  if (open.length === 0)
    throw new Failure("missing", "no open incident is known", {
      hint: "give the incident's id; nothing was sent",
    });
  const choices = open.map(({ id, name, status = "" }) => ({
    value: id,
    label: name ?? id,
    explanation: `${status} ${id.slice(0, 8)}`.trimStart(),
  }));
  return given(prompts.choose<string>({ message: "Which incident?", choices }));
}

/** Asks for the fields of the update that `entry` lacks. */
export async function askForUpdate(
  context: RunContext,
  global: GlobalFlags,
  delivery: DeliveryOptions,
  incidentId: string,
  entry: Fields,
): Promise<Fields> {
  const incident = await delivery.client.getIncident(incidentId);
  const { name = incidentId, services } = incidentFacts(incident);
  const named = services.map((each) => ({ name: each.name ?? each.id ?? "" }));
  const { addUpdate } = await operationsFor(delivery);
  const takes = addUpdate === undefined ? undefined : propertiesOf(addUpdate.body);
  const asked = questions.filter(
    ({ name: field, part }) =>
      part === "update" && (field !== "notifySubscribers" || takes?.has(field) !== false),
  );
  const dialogue = await openDialogue(context, global, { incident });
  return (await askMissing(dialogue, { incident: { name, services: named }, update: entry }, asked)).update;
}
