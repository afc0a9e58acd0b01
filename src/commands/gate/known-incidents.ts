// The incidents that files, the journal and the list of the service know, and how each of them stands: for `incident gate`.
import { mayBeBehind } from "../../delivery/creates/declared.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { Failure, type NextCommand } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import { argv } from "../../text/advice.ts";
import { localTime } from "../../text/date-times.ts";
import { type Filter, isBefore, passes } from "../shared/incident-list.ts";

export interface KnownIncident {
  readonly id: string;
  readonly name: string | undefined;
  /** When it was declared or changed, or last tried: an ISO date-time, UTC; empty where nothing here has it. */
  readonly at: string;
  /** Of its create, else of its newest change; undefined where the journal has neither. */
  readonly log?: OperationLog;
  readonly posted?: { readonly at: string; readonly id: string; readonly status: string | undefined };
}

/**
 * `closed`: resolved, or deleted. `other`: it is open, and the filter leaves it out. `isMissing`: a 404 says so, which needs
 * proof of the base URL. `settle`: a person can say how it ended.
 */
export type Standing = { readonly known: KnownIncident; readonly isMissing?: boolean } & (
  | { readonly is: "unread" | "closed" | "other" }
  | { readonly is: "open"; readonly incident: Incident }
  | { readonly is: "unknown"; readonly problem: string; readonly settle?: NextCommand }
);

export interface Sources {
  readonly fromFiles?: readonly Pick<KnownIncident, "id" | "name">[];
  /** The newest first. */
  readonly logs: readonly OperationLog[];
  readonly listed?: readonly Incident[];
  /** Leaves out an incident that was declared before, unless a file names it. */
  readonly since?: number | undefined;
}

/** Each incident once: first those of the files, which a person names, then the newest. */
export function knownIncidents({ fromFiles = [], listed = [], logs, since }: Sources) {
  const inJournal = incidentsIn(logs);
  const all = [
    ...fromFiles.map((each) => ({ ...each, at: "" })),
    ...[...inJournal.values()].filter(({ at }) => since === undefined || Date.parse(at) >= since),
    ...listed
      .filter((incident) => !isBefore(incident, since))
      .map((incident) => ({ id: incident.id, name: incidentFacts(incident).name, at: dateOf(incident) })),
  ];
  const known = new Map<string, KnownIncident>();
  for (const each of all) {
    const id = each.id.toLowerCase();
    if (!known.has(id)) known.set(id, inJournal.get(id) ?? each);
  }
  return [...known.values()];
}

const dateOf = (incident: Incident) => incidentFacts(incident).createdAt ?? "";

/** The incidents that may exist, by their ids in lower case. */
function incidentsIn(logs: readonly OperationLog[]): ReadonlyMap<string, KnownIncident> {
  const known = new Map<string, KnownIncident>();
  const isCreate = ({ change }: OperationLog) => change === undefined;
  for (const log of [...logs.filter(isCreate), ...logs.filter((each) => !isCreate(each))]) {
    const { change, created, key, name, uncertain } = log;
    if (created === undefined && uncertain === undefined) continue;
    const id = change?.incidentId ?? created?.serviceId ?? key.id;
    // The first event can be much older, of a create that was refused then.
    const at = created?.at ?? log.events.at(-1)?.at ?? "";
    const own = known.get(id.toLowerCase()) ?? { id, name, at, log };
    const isNewest = change?.kind === "update" && created && created.at > (own.posted?.at ?? "");
    const posted = isNewest ? { at, id: created.serviceId, status: change.status } : own.posted;
    known.set(id.toLowerCase(), { ...own, ...(posted && { posted }) });
  }
  return new Map([...known].sort(([, one], [, other]) => other.at.localeCompare(one.at)));
}

export interface Observing {
  readonly filter: Filter;
  /** Whether the service keeps the ids of creates. */
  readonly keepsIds: boolean;
  readonly isListWhole: boolean;
  readonly system: DeliveryOptions["system"];
}

/**
 * Reads one incident; it stays unread where the command was stopped first. Throws the `Failure` of a key that is not
 * accepted, which every other read would get as well.
 */
export async function read(
  { client }: Pick<DeliveryOptions, "client">,
  known: KnownIncident,
  observing: Observing,
): Promise<Standing> {
  try {
    const incident = await client.findIncident(known.id);
    return incident === undefined
      ? standingOfMissing(known, observing)
      : standingOf(incident, known, observing);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    const isStopped = ["interrupted", "terminated", "timeout"].includes(error.kind);
    return isStopped ? { is: "unread", known } : { is: "unknown", known, problem: error.message };
  }
}

/** An incident counts as open unless it says that it is resolved, and shows the update that was posted from here. */
export function standingOf(
  incident: Incident,
  known: KnownIncident,
  { filter, system }: Pick<Observing, "filter" | "system">,
): Standing {
  if (!isResolved(incident))
    return passes(incident, filter) ? { is: "open", known, incident } : { is: "other", known };
  const { posted } = known;
  const isShown = incidentFacts(incident).updates.some(
    ({ id }) => id?.toLowerCase() === posted?.id.toLowerCase(),
  );
  if (posted === undefined || posted.status === "RESOLVED" || isShown || !mayBeBehind(posted.at, system))
    return { is: "closed", known };
  const at = localTime(posted.at, system.localOffset);
  const problem = `it shows RESOLVED, and not the update that was posted from here at ${at}`;
  return { is: "unknown", known, problem };
}

function standingOfMissing(known: KnownIncident, { isListWhole, keepsIds, system }: Observing): Standing {
  const { at, id, log } = known;
  const missing = { known, isMissing: true };
  const isGone = log === undefined ? keepsIds || isListWhole : isListWhole && !mayBeBehind(at, system);
  const isUnsettled = log?.created === undefined && log?.change === undefined;
  if (log !== undefined && isUnsettled) {
    const settle = { command: argv`incident journal settle ${id}`, purpose: "look for it, and settle it" };
    return { ...missing, is: "unknown", problem: "its create has no known outcome", settle };
  }
  if (isGone) return { ...missing, is: "closed" };
  if (log === undefined) return { ...missing, is: "unknown", problem: replaced };
  const [participle, operation] = log.change === undefined ? ["declared", id] : ["changed", log.key.id];
  return {
    ...missing,
    is: "unknown",
    problem: `it was ${participle}, and the service does not show it; it may be deleted, or a replica may be behind`,
    settle: {
      command: argv`incident journal settle ${operation} --not-created --yes`,
      purpose: "it was deleted",
    },
  };
}

const replaced =
  "the service does not show this id of a file, and may have given its incident another, which only the journal of its create knows";
