// Which incidents `gate` and `list` look at: by service, by severity, and by time.
import { Failure } from "../../failure.ts";
import { type Severity, severities } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { isGuid } from "../../rules/forms.ts";
import { parsePast } from "../../text/date-times.ts";
import { findServices } from "./fields.ts";

export interface Filter {
  /** The ids in lower case; an empty set stands for every service. */
  readonly serviceIds: ReadonlySet<string>;
  /** The least severe that matters; undefined for every severity. */
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
    for (const id of isGuid(text) ? [text] : await findIds(context, text)) ids.add(id.toLowerCase());
  return { serviceIds: ids, severity: least };
}

async function findIds(context: RunContext, text: string): Promise<readonly string[]> {
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

/** An incident that does not say its severity or its services matters. */
export function matters(incident: Incident, { serviceIds, severity: least }: Filter): boolean {
  const { services, severity } = incidentFacts(incident);
  const ranks: readonly (string | undefined)[] = severities;
  const rank = ranks.indexOf(severity);
  const isSevere = least === undefined || rank === -1 || rank <= ranks.indexOf(least);
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
