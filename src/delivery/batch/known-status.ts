// The status of an incident as this machine knows it last, without a request.
import type { OperationLog, ServiceKey } from "../../journal/events.ts";

/**
 * The status of a declared incident: of the newest update that was posted from here, else of its create.
 * `logs`: the newest first.
 */
export function createStatusOf(logs: readonly OperationLog[]): (log: OperationLog) => string | undefined {
  const posted = new Map<string, { readonly at: string; readonly status: string }>();
  for (const { change, created, key } of logs) {
    if (change?.kind !== "update" || change.status === undefined || created === undefined) continue;
    const incident = incidentIn(key, change.incidentId);
    if (created.at > (posted.get(incident)?.at ?? ""))
      posted.set(incident, { at: created.at, status: change.status });
  }
  return ({ change, content, created, key, parts }) => {
    if (created === undefined || change !== undefined) return undefined;
    // The content that a later edit records has all updates of the file.
    const sent = parts?.updates.length;
    return (
      posted.get(incidentIn(key, created.serviceId))?.status ??
      content?.body.incidentUpdates.slice(0, sent).findLast(({ status }) => status !== undefined)?.status
    );
  };
}

/** Names an incident by its own id, among those of all services. */
function incidentIn({ account, baseUrl }: ServiceKey, id: string): string {
  return JSON.stringify([baseUrl, account, id.toLowerCase()]);
}
