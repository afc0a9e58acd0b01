// The status of an incident as this machine knows it last, without a request.
import { incidentFacts } from "../../incident/wire.ts";
import type { OperationLog, ServiceKey } from "../../journal/events.ts";
import { type Journal, operationName } from "../../journal/journal.ts";

/** The status of a declared incident: of the newest update that was posted from here, else as the service answered. */
export function createStatusOf(changes: readonly OperationLog[]): (log: OperationLog) => string | undefined {
  const posted = new Map<string, { readonly at: string; readonly status: string }>();
  for (const { change, created, key } of changes) {
    if (change?.kind !== "update" || change.status === undefined || created === undefined) continue;
    const incident = incidentIn(key, change.incidentId);
    if (created.at >= (posted.get(incident)?.at ?? ""))
      posted.set(incident, { at: created.at, status: change.status });
  }
  return ({ change, content, created, key }) => {
    if (created === undefined || change !== undefined) return undefined;
    const answered = created.incident && incidentFacts(created.incident).status;
    return (
      posted.get(incidentIn(key, created.serviceId))?.status ??
      answered ??
      content?.body.incidentUpdates.findLast(({ status }) => status !== undefined)?.status
    );
  };
}

/** Names an incident by its own id, among those of all services. */
function incidentIn({ account, baseUrl }: ServiceKey, id: string): string {
  return operationName({ account, baseUrl, id });
}

/** The newest operations say enough, and a journal may have 100,000. */
const mostRead = 1000;

/** The incidents of recent creates from here that this machine knows as resolved, by the service's own ids. */
export async function knownResolved(state: {
  readonly journal: Pick<Journal, "list">;
}): Promise<ReadonlySet<string>> {
  const { changes, logs } = await state.journal.list({ limit: mostRead });
  const statusOf = createStatusOf(changes);
  return new Set(logs.flatMap((log) => (statusOf(log) === "RESOLVED" ? (log.created?.serviceId ?? []) : [])));
}
