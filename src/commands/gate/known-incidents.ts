// The incidents that the journal, a folder and the list of the service know, and whether each is open: for `incident gate`.

import { mayBeBehind } from "../../delivery/creates/declared.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { System } from "../../platform/context.ts";
import { commandText } from "../../text/advice.ts";
import { localTime } from "../../text/date-times.ts";
import { type Filter, latestTime, passes } from "../shared/incident-list.ts";

export interface KnownIncident {
  readonly id: string;
  /** Undefined where only an unreadable entry of the journal knows it. */
  readonly name: string | undefined;
  /**
   * When it was declared or changed, or last tried: an ISO date-time, UTC; empty where the journal does not know it. The
   * first event can be much older, of a create that was refused then.
   */
  readonly at: string;
  /** Of its create, else of its newest change; undefined where the journal has neither. */
  readonly log?: OperationLog;
  /** The newest update that was posted from here. */
  readonly posted?: { readonly at: string; readonly id: string; readonly status: string | undefined };
}

export interface UnknownIncident extends Pick<KnownIncident, "id" | "name"> {
  readonly problem: string;
  /** The operation to settle if it was deleted: the service answered with 404, and the journal knows it. */
  readonly hidden?: string;
}

/**
 * `other`: it is open, and the filter leaves it out. `unsettled`: its create has no known outcome, and the service does
 * not show it. `not-shown`: the id of a file, which the service may have replaced.
 */
export type Observation =
  | { readonly is: "resolved" | "gone" | "other" }
  | { readonly is: "open"; readonly incident: Incident }
  | { readonly is: "not-shown" | "unknown" | "unsettled"; readonly incident: UnknownIncident };

/** The incidents of one service and account that may exist, by their ids in lower case, the newest first as `logs` are. */
export function incidentsIn(logs: readonly OperationLog[]): ReadonlyMap<string, KnownIncident> {
  const known = new Map<string, KnownIncident>();
  const isCreate = ({ change }: OperationLog) => change === undefined;
  for (const log of [...logs.filter(isCreate), ...logs.filter((each) => !isCreate(each))]) {
    const { change, created, key, name, uncertain } = log;
    if (created === undefined && uncertain === undefined) continue;
    const id = change?.incidentId ?? created?.serviceId ?? key.id;
    const at = created?.at ?? log.events.at(-1)?.at ?? "";
    const before = known.get(id.toLowerCase()) ?? { id, name, at, log };
    const isNewest = change?.kind === "update" && created && created.at > (before.posted?.at ?? "");
    const posted = isNewest ? { at, id: created.serviceId, status: change.status } : before.posted;
    known.set(id.toLowerCase(), { ...before, ...(posted && { posted }) });
  }
  return new Map([...known].sort(([, one], [, other]) => other.at.localeCompare(one.at)));
}

export interface Sources {
  readonly fromFiles: readonly Pick<KnownIncident, "id" | "name">[];
  readonly inJournal: ReadonlyMap<string, KnownIncident>;
  readonly listed: readonly Incident[];
}

/** Each incident once. A person names the files, so that they come first. `since`: those before it are left out. */
export function mergeKnown(
  { fromFiles, inJournal, listed }: Sources,
  since = Number.NEGATIVE_INFINITY,
): readonly KnownIncident[] {
  const inList = listed.filter((incident) => (latestTimeOf(incident) ?? since) >= since);
  const all = [
    ...fromFiles.map((each) => ({ ...each, at: "" })),
    ...[...inJournal.values()].filter(
      ({ at }) => since === Number.NEGATIVE_INFINITY || Date.parse(at) >= since,
    ),
    ...inList.map((incident) => {
      const { createdAt: at = "", name } = incidentFacts(incident);
      return { id: incident.id, name, at };
    }),
  ];
  const known = new Map<string, KnownIncident>();
  for (const each of all) {
    const id = each.id.toLowerCase();
    if (!known.has(id)) known.set(id, inJournal.get(id) ?? each);
  }
  return [...known.values()];
}

/** The latest time that its date of creation can mean. */
export function latestTimeOf(incident: Incident): number | undefined {
  return latestTime(incidentFacts(incident).createdAt);
}

export interface Observing {
  readonly filter: Filter;
  /** Whether the service keeps the ids of creates. */
  readonly keepsIds: boolean;
  /** Whether a complete list was read. */
  readonly isListWhole: boolean;
}

/**
 * Reads one incident; undefined where the command was stopped first. Throws the `Failure` of a key that is not accepted,
 * which every other read would get as well.
 */
export async function observe(
  delivery: DeliveryOptions,
  known: KnownIncident,
  observing: Observing,
): Promise<Observation | undefined> {
  try {
    const incident = await delivery.client.findIncident(known.id);
    return incident === undefined
      ? observationOfMissing(known, observing, delivery.system)
      : observationOf(incident, known, observing, delivery.system);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    if (error.kind === "interrupted" || error.kind === "terminated" || error.kind === "timeout")
      return undefined;
    return unknown(known, error.message);
  }
}

type Clocked = Pick<System, "clock" | "localOffset">;

/** An incident counts as open unless it says that it is resolved, and shows what was posted from here. */
export function observationOf(
  incident: Incident,
  known: KnownIncident,
  { filter }: Pick<Observing, "filter">,
  system: Clocked,
): Observation {
  if (!isResolved(incident)) return passes(incident, filter) ? { is: "open", incident } : { is: "other" };
  const { posted } = known;
  const isShown = incidentFacts(incident).updates.some(
    ({ id }) => id?.toLowerCase() === posted?.id.toLowerCase(),
  );
  if (posted === undefined || posted.status === "RESOLVED" || isShown || !mayBeBehind(posted.at, system))
    return { is: "resolved" };
  const at = localTime(posted.at, system.localOffset);
  return unknown(known, `it shows RESOLVED, and not the update that was posted from here at ${at}`);
}

function observationOfMissing(
  known: KnownIncident,
  { isListWhole, keepsIds }: Observing,
  system: Clocked,
): Observation {
  const { at, id, log } = known;
  if (log === undefined)
    return keepsIds || isListWhole ? { is: "gone" } : { ...unknown(known, replaced), is: "not-shown" };
  if (log.created === undefined && log.change === undefined)
    return { ...unknown(known, "its create has no known outcome"), is: "unsettled" };
  if (isListWhole && !mayBeBehind(at, system)) return { is: "gone" };
  const [done, hidden] = log.change === undefined ? ["declared", id] : ["changed", log.key.id];
  const settle = commandText(deletedCommand(hidden));
  return unknown(
    known,
    `it was ${done}, and the service does not show it; if it was deleted, run ${settle}`,
    hidden,
  );
}

export function deletedCommand(id: string): readonly string[] {
  return ["incident", "journal", "settle", id, "--not-created", "--yes"];
}

function unknown({ id, name }: KnownIncident, problem: string, hidden?: string) {
  return { is: "unknown", incident: { id, name, problem, ...(hidden && { hidden }) } } as const;
}

const replaced =
  "the service does not show this id of a file, and may have given its incident another, which only the journal of its create knows";
