// The updates of an incident as the service shows them: which one is the last, and which one is an update of ours. Pure.
// The spec states no order (spec 2.1), and no decision uses the service's dates.
import { normalText } from "./normal-form.ts";
import { statuses } from "./values.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "./wire.ts";

/** The direction of a list of updates. */
export type UpdateOrder = "oldest-first" | "newest-first";

/** An update of a definition, or one that the service shows. */
export interface TimelineUpdate {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly description?: string | undefined;
}

/** Whether both have the status and, in any notation, the text. A status that the service leaves out is no difference. */
export function isSameUpdate(one: TimelineUpdate, other: TimelineUpdate): boolean {
  const isSameStatus = (one.status ?? other.status) === (other.status ?? one.status);
  return isSameStatus && normalText(one.description ?? "") === normalText(other.description ?? "");
}

/**
 * The updates that may be the last: one where the order is known, or where only one end of the list has the status of the
 * incident; else both ends.
 */
export function lastUpdates(incident: Incident, order: UpdateOrder | undefined): readonly UpdateFacts[] {
  const { status, updates } = incidentFacts(incident);
  const [first, last] = [updates.at(0), updates.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (order !== undefined || first === last) return [order === "newest-first" ? first : last];
  const ends = [first, last];
  const current =
    incident.lastUpdateStatus === undefined ? ends : ends.filter((each) => each.status === status);
  return current.length === 0 ? ends : current;
}

/** The direction of a list, by which of its entries is the newest; undefined where that is at neither end, or at both. */
export function orderOf(isNewest: readonly boolean[]): UpdateOrder | undefined {
  const found = isNewest.flatMap((is, at) => (is ? [at] : []));
  const [only] = found;
  if (isNewest.length < 2 || found.length !== 1) return undefined;
  if (only === isNewest.length - 1) return "oldest-first";
  return only === 0 ? "newest-first" : undefined;
}

/** Whether a status stands before another one in the course of an incident. */
export function goesBack(from: string | undefined, to: string | undefined): boolean {
  const [before, after] = [from, to].map((status) =>
    (statuses as readonly (string | undefined)[]).indexOf(status),
  ) as [number, number];
  return after !== -1 && after < before;
}
