// Whether a person has taken over the incident of an alert: the end of the alert is then no longer the end of the incident.
import type { Update } from "../../incident/definition.ts";
import { isSameUpdate, lastUpdates } from "../../incident/updates.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import { textDigest } from "../../journal/content.ts";
import { operation } from "../../journal/model.ts";
import type { OperationOptions } from "../delivery-options.ts";
import { equalLogs, isOfFile } from "./update-identity.ts";

/** Whether the newest update is neither of the template, which declared it with `declaredId`, nor the end of the alert. */
export async function isTakenOver(
  { journal, service }: Pick<OperationOptions, "journal" | "service">,
  incident: Incident,
  declaredId: string,
  end: Update,
): Promise<boolean> {
  const { updates } = incidentFacts(incident);
  // A create has one at least.
  if (updates.length <= 1) return false;
  const model = await journal.model(service);
  const { parts } = operation(model, service, declaredId);
  const added = lastUpdates(incident).filter((each) => !parts?.updates.includes(textDigest(each)));
  // Of two that are left, one is that of the create, in the words of the service.
  const isOwn = (each: UpdateFacts) =>
    isSameUpdate(each, end) ||
    equalLogs({ model, service }, incident.id, each, updates.length).some(isOfFile);
  return added.length > 0 && !added.some(isOwn);
}
