// The update of an alert for the open incident of its key: nothing where another person has posted since.
import type { Update } from "../../incident/definition.ts";
import { isSameUpdate, lastUpdates } from "../../incident/updates.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { planUpdate } from "./plan-update.ts";
import { type Posted, type PostOptions, postOnce } from "./post-once.ts";
import { readEqual } from "./update-identity.ts";
import { openUpdateMemory } from "./update-memory.ts";

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
  const { journal, notes, service } = options;
  const { updates } = incidentFacts(incident);
  // A create has one at least.
  if (updates.length <= 1) return true;
  const { content } = await journal.read({ ...service, id: declaredId });
  const declared = content?.body.incidentUpdates ?? [];
  for (const newest of lastUpdates(incident, openUpdateMemory(notes, service).order())) {
    if (declared.some((each) => isSameUpdate(newest, each))) continue;
    const equal = await readEqual(options, incident.id, newest, updates.length);
    if (!equal.some(({ change }) => change?.kind === "update" && change.isForAlert)) return false;
  }
  return true;
}

/** Whether the newest update is the one that says that the alert is over. */
export function endsWith({ notes, service }: DeliveryOptions, incident: Incident, entry: Update): boolean {
  const last = lastUpdates(incident, openUpdateMemory(notes, service).order());
  return last.some((each) => isSameUpdate(each, entry)) && incidentFacts(incident).status === entry.status;
}
