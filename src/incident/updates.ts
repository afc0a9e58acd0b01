// The updates of an incident as the service shows them: the last one, and which are ours. Pure. The spec states no order (spec
// 2.1), and no decision to send uses the service's dates.

import { type Incident, type IncidentFacts, incidentFacts, normalText, type UpdateFacts } from "./wire.ts";

/** An update of a definition, or one that the service shows. */
export interface TimelineUpdate {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly description?: string | undefined;
}

/** A status that the service leaves out is no difference. */
export function hasSameStatus(one: TimelineUpdate | undefined, { status }: TimelineUpdate): boolean {
  return one !== undefined && (one.status ?? status) === (status ?? one.status);
}

/** Whether both have the status and, in any notation, the text. */
export function isSameUpdate(one: TimelineUpdate, other: TimelineUpdate): boolean {
  return (
    hasSameStatus(one, other) && normalText(one.description ?? "") === normalText(other.description ?? "")
  );
}

/** The number of equal updates before this one in the file, which tells equal ones apart. */
export function occurrenceOf(file: readonly TimelineUpdate[], at: number): number {
  const own = file[at] as TimelineUpdate;
  return file.slice(0, at).filter((other) => isSameUpdate(own, other)).length;
}

/** Whether the file itself says that the incident goes on after a RESOLVED. */
export function isAfterResolved(file: readonly TimelineUpdate[], at: number): boolean {
  return file.slice(0, at).findLast(({ status }) => status !== undefined)?.status === "RESOLVED";
}

/** The updates that may be the last: the ends of the list, or the one of them that has the status of the incident. */
export function lastUpdates(incident: Incident): readonly UpdateFacts[] {
  const { status, updates } = incidentFacts(incident);
  const ends = updates.filter((_, at) => at === 0 || at === updates.length - 1);
  const current =
    incident.lastUpdateStatus === undefined ? ends : ends.filter((each) => each.status === status);
  return current.length === 0 ? ends : current;
}

/**
 * The updates sorted by time. Updates of equal or unknown time keep their order in the list, which is reversed if its
 * first update is the later one, or the only one that has the status of the incident.
 */
export function oldestFirst({ status, updates }: IncidentFacts): readonly UpdateFacts[] {
  const timeOf = ({ at = "" }: UpdateFacts) => Date.parse(at);
  const isDated = updates.every((each) => !Number.isNaN(timeOf(each)));
  const [first, last] = [updates.at(0), updates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const elapsed = isDated ? timeOf(last) - timeOf(first) : 0;
  const isAlone = first.status === status && last.status !== status;
  const listed = elapsed < 0 || (elapsed === 0 && isAlone) ? updates.toReversed() : updates;
  return isDated ? listed.toSorted((one, other) => timeOf(one) - timeOf(other)) : listed;
}
