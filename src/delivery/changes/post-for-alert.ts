// The update of an alert for the open incident of its key: nothing where another person has posted since.
import type { Update } from "../../incident/definition.ts";
import { isSameUpdate, lastUpdates } from "../../incident/updates.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import { textDigest } from "../../journal/content.ts";
import type { OperationLog } from "../../journal/events.ts";
import { operation } from "../../journal/model.ts";
import { planUpdate } from "./plan-update.ts";
import { type Posted, type PostOptions, postOnce } from "./post-once.ts";
import { equalLogs } from "./update-identity.ts";

export interface AlertUpdate {
  /** The id that the incident of the key was declared with. */
  readonly declaredId: string;
  readonly incidentId: string;
  readonly entry: Update;
}

/** Throws a `Failure` as `postOnce` does. `taken-over`: the newest update is not of this key. */
export async function postForAlert(
  options: PostOptions,
  { declaredId, entry, incidentId }: AlertUpdate,
): Promise<Posted | { readonly how: "taken-over"; readonly incident: Incident }> {
  const planned = await planUpdate(options, {
    incidentId,
    entry,
    isNew: false,
    reopens: false,
    isForAlert: true,
  });
  if (planned.is === "posted-before") return planned.posted;
  const { request } = planned;
  const isUnderWay = request.log?.uncertain !== undefined;
  if (!isUnderWay && !(await isNewestOwn(options, request.incident, declaredId)))
    return { how: "taken-over", incident: request.incident };
  return postOnce(options, { ...request, isForAlert: true, isUnnumbered: false });
}

/** Whether the newest update is that of the create, or one that was posted for the alert. */
async function isNewestOwn(options: PostOptions, incident: Incident, declaredId: string): Promise<boolean> {
  const { journal, service } = options;
  const { updates } = incidentFacts(incident);
  // A create has one at least.
  if (updates.length <= 1) return true;
  const model = await journal.model(service);
  const { parts } = operation(model, service, declaredId);
  const added = lastUpdates(incident).filter((each) => !parts?.updates.includes(textDigest(each)));
  // Of two that are left, one is that of the create, in the words of the service.
  const isForAlert = ({ change }: OperationLog) => change?.kind === "update" && change.isForAlert === true;
  const isOfAlert = (each: UpdateFacts) =>
    equalLogs({ model, service }, incident.id, each, updates.length).some(isForAlert);
  return added.length === 0 || added.some(isOfAlert);
}

/** Whether the newest update is the one that says that the alert is over. */
export function endsWith(incident: Incident, entry: Update): boolean {
  const isLast = lastUpdates(incident).some((each) => isSameUpdate(each, entry));
  return isLast && incidentFacts(incident).status === entry.status;
}
