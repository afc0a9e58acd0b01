// Chooses among the incidents of a list, and orders them: the newest first.
import { type Incident, incidentFacts, isResolved } from "../../../incident/wire.ts";
import { type Filter, latestTime, matters } from "../incident-filter.ts";

export interface Selection extends Filter {
  readonly isOpen: boolean;
  /** In upper case. */
  readonly status: string | undefined;
  /** In milliseconds since the epoch. */
  readonly since: number | undefined;
  readonly limit: number;
}

/** The latest time of an incident, in milliseconds since the epoch; undefined where the service does not say it. */
function timeOf(incident: Incident): number | undefined {
  const { createdAt, updates } = incidentFacts(incident);
  return latestTime(createdAt || updates[0]?.at);
}

/** The incidents that match, the newest first. An incident that does not say its time is not left out by a time. */
export function select(incidents: readonly Incident[], selection: Selection): readonly Incident[] {
  const { isOpen, since, status } = selection;
  const inOrder = isOldestFirst(incidents) ? incidents.toReversed() : incidents;
  return inOrder
    .filter((incident) => {
      const time = timeOf(incident);
      const isRecent = since === undefined || time === undefined || time >= since;
      const hasStatus = status === undefined || incidentFacts(incident).status === status;
      return isRecent && hasStatus && !(isOpen && isResolved(incident)) && matters(incident, selection);
    })
    .toSorted((one, other) => (timeOf(other) ?? 0) - (timeOf(one) ?? 0));
}

/** Whether the list need not be read further: it begins with the newest, and has enough of them. */
export function isEnough(incidents: readonly Incident[], selection: Selection): boolean {
  const { limit, since } = selection;
  if (isOldestFirst(incidents)) return false;
  const last = incidents.at(-1);
  const oldest = last && timeOf(last);
  const isPast = since !== undefined && oldest !== undefined && oldest < since;
  return isPast || select(incidents, selection).length >= limit;
}

function isOldestFirst(incidents: readonly Incident[]): boolean {
  const times = incidents.map(timeOf).filter((time) => time !== undefined);
  return (times[0] ?? 0) < (times.at(-1) ?? 0);
}
