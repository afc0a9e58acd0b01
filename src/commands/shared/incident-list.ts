// The one reader of the service's list, and the one filter of incidents: by service, by severity, by status and by time.
// `list`, `gate`, and the search for an incident use them.
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { operationsAtHand } from "../../api/known-operations.ts";
import type { List } from "../../api/lists.ts";
import { Failure } from "../../failure.ts";
import { isMoreSevere, type Severity, severities } from "../../incident/values.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { isGuid } from "../../rules/forms.ts";
import { parsePast } from "../../text/date-times.ts";
import { withCommas } from "../../text/lengths.ts";
import { findServices } from "./fields.ts";
import { type KnownIncident, knownAs } from "./which-incident.ts";

/** The most incidents that a command reads of the service's list. */
export const mostListed = 1000;

/** Reads the list until `isEnough`, with a line of progress. */
export async function readIncidents(
  context: RunContext,
  client: Client,
  operation: Parameters<Client["listIncidents"]>[0],
  isEnough: (entries: readonly Incident[]) => boolean,
): Promise<List<Incident>> {
  try {
    return await client.listIncidents(operation, {
      most: mostListed,
      sharesConnection: true,
      isEnough: (entries) => {
        context.progress(`${withCommas(entries.length)} incidents of the list read`);
        return isEnough(entries as readonly Incident[]);
      },
    });
  } finally {
    context.progress("");
  }
}

/**
 * The list for a command that only looks for an incident in it, the oldest first: without a request for the document, and
 * undefined where it is not known how to list. Throws the `Failure` of a list that cannot be read.
 */
export async function readListed(
  context: RunContext,
  global: GlobalFlags,
): Promise<readonly KnownIncident[] | undefined> {
  const { client } = await connect(context, global);
  const operation = (await operationsAtHand(context, client.settings))?.list;
  return operation && listKnown(client, operation);
}

/** The oldest first. */
export async function listKnown(
  client: Client,
  operation: Parameters<Client["listIncidents"]>[0],
): Promise<readonly KnownIncident[]> {
  const { entries } = await client.listIncidents(operation, { most: mostListed, sharesConnection: true });
  return inOrder(entries).map(knownAs).toReversed();
}

export interface Filter {
  /** The ids in lower case; an empty set stands for every service. */
  readonly serviceIds: ReadonlySet<string>;
  /** The least severe one that passes; undefined for every severity. */
  readonly severity: Severity | undefined;
}

/** Throws a `Failure` "usage" for a service or a severity that is none. */
export async function readFilter(
  context: RunContext,
  { service = [], severity }: { readonly service?: readonly string[]; readonly severity?: string },
): Promise<Filter> {
  const least = severities.find((each) => each === severity?.toUpperCase());
  if (severity !== undefined && least === undefined) {
    throw new Failure("usage", `--severity: "${severity}" is not a severity`, {
      hint: `write one of ${severities.join(", ")}`,
    });
  }
  const ids = new Set<string>();
  for (const text of service)
    for (const id of isGuid(text) ? [text] : await idsOfService(context, text)) ids.add(id.toLowerCase());
  return { serviceIds: ids, severity: least };
}

async function idsOfService(context: RunContext, text: string): Promise<readonly string[]> {
  const catalog = await context.workspace.catalog();
  return (await findServices(context, [text], catalog.read)).map(({ id }) => id);
}

/** In milliseconds since the epoch. Throws a `Failure` "usage" for a text that is no time. */
export function readSince({ system }: RunContext, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const since = parsePast(text, system.clock.now());
  if (since !== undefined) return since;
  throw new Failure("usage", `--since: "${text}" is not a time`, {
    hint: "write 7d, 12h or 30m for a time before now, or a date such as 2026-11-01",
  });
}

/** An incident that does not say its severity or its services passes. */
export function passes(incident: Incident, { serviceIds, severity: least }: Filter): boolean {
  const { services, severity } = incidentFacts(incident);
  const isSevere = !isMoreSevere(least, severity);
  const ids = services.map(({ id }) => id?.toLowerCase());
  const isAffected =
    serviceIds.size === 0 || ids.length === 0 || ids.some((id) => id === undefined || serviceIds.has(id));
  return isSevere && isAffected;
}

const dayLength = 24 * 60 * 60 * 1000;

/**
 * The latest time that a date can mean, in milliseconds since the epoch: the spec has a creation as a date without a time
 * (spec 2.1), and no time bound leaves out an incident that may be after it.
 */
export function latestTime(date: string | undefined): number | undefined {
  const time = Date.parse(date ?? "");
  if (Number.isNaN(time)) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(date ?? "") ? time + dayLength - 1 : time;
}

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

/** The newest first. */
function inOrder(incidents: readonly Incident[]): readonly Incident[] {
  const newestFirst = isOldestFirst(incidents) ? incidents.toReversed() : incidents;
  return newestFirst.toSorted((one, other) => (timeOf(other) ?? 0) - (timeOf(one) ?? 0));
}

/** The incidents that match, the newest first. An incident that does not say its time is not left out by a time. */
export function select(incidents: readonly Incident[], selection: Selection): readonly Incident[] {
  const { isOpen, since, status } = selection;
  return inOrder(incidents).filter((incident) => {
    const time = timeOf(incident);
    const isRecent = since === undefined || time === undefined || time >= since;
    const hasStatus = status === undefined || incidentFacts(incident).status === status;
    return isRecent && hasStatus && !(isOpen && isResolved(incident)) && passes(incident, selection);
  });
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
