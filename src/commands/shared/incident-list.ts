// The filter of incidents by service, severity and time, and the report of incidents as the service returned them.
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { Failure, onlyFailure } from "../../failure.ts";
import { normalName, ranksBefore, type Severity, severities } from "../../incident/values.ts";
import { type Incident, incidentFacts, latestTimeOf } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/command.ts";
import { incidentsReport } from "../../kit/report.ts";
import { isDate, isGuid } from "../../rules/forms.ts";
import { timeBefore } from "../../text/date-times.ts";
import { incidentLink } from "../../workspace/service-urls.ts";
import type { Setting } from "../../workspace/settings.ts";

export interface Filter {
  /** The ids in lower case; an empty set stands for every service. */
  readonly serviceIds: ReadonlySet<string>;
  /** The least severity that passes; undefined for every severity. */
  readonly severity: Severity | undefined;
}

/** Throws a `Failure` "usage" for an unknown service. */
export async function readFilter(
  context: RunContext,
  { service = [], severity }: { readonly service?: readonly string[]; readonly severity?: string },
): Promise<Filter> {
  const ids = new Set<string>();
  for (const text of service) {
    const services = isGuid(text) ? undefined : await import("./services.ts");
    const found = services?.findService(text, await context.workspace.project());
    ids.add((found?.id ?? text).toLowerCase());
  }
  return { serviceIds: ids, severity: normalName(severity, severities) };
}

/** In milliseconds since the epoch. Throws a `Failure` "usage" for a text that is no time. */
export function readSince({ system }: RunContext, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isDay = /^.{10}(?:T|$)/.test(text) && isDate(text.slice(0, 10));
  const since = isDay ? Date.parse(text) : timeBefore(text, system.clock.now());
  if (since !== undefined && !Number.isNaN(since)) return since;
  throw new Failure("usage", `--since: "${text}" is not a time`, {
    hint: "write 7d, 12h or 30m for a time before now, or a date such as 2026-11-01",
  });
}

/** An incident that does not say its severity or its services passes. */
export function passes(incident: Incident, { serviceIds, severity: least }: Filter): boolean {
  const { services, severity } = incidentFacts(incident);
  const isSevere = !ranksBefore(severities, least, severity);
  const ids = services.map(({ id }) => id?.toLowerCase());
  const isAffected =
    serviceIds.size === 0 || ids.length === 0 || ids.some((id) => id === undefined || serviceIds.has(id));
  return isSevere && isAffected;
}

/** The newest first. */
export function inOrder(incidents: readonly Incident[]): readonly Incident[] {
  return incidents.toSorted((one, other) => (latestTimeOf(other) ?? 0) - (latestTimeOf(one) ?? 0));
}

/** An incident that does not say its time is not before any. */
export function isBefore(incident: Incident, since: number | undefined): boolean {
  const time = latestTimeOf(incident);
  return since !== undefined && time !== undefined && time < since;
}

/** `asked`: the number of given ids, which decides the form of the JSON. Throws the failure where there is no incident. */
export function linkedReport(
  incidents: readonly Incident[],
  asked: number,
  webUrl: Setting<string> | undefined,
  failure?: Failure,
) {
  if (incidents.length === 0 && failure !== undefined) throw failure;
  const data = asked > 1 ? incidents : (incidents[0] ?? []);
  return { ...incidentsReport(data, incidents, linked(incidents, webUrl)), failure };
}

export function sentReport(
  delivery: DeliveryOptions,
  incidents: readonly Incident[],
  asked: number,
  failure?: Failure,
) {
  const report = linkedReport(incidents, asked, delivery.client.settings.webUrl, failure);
  return { ...report, onPrinted: () => shortenJournal(delivery) };
}

/** For work after the result is printed, which must still count: a `Failure` of it is only a warning. */
export async function shortenJournal({ journal, reporter }: DeliveryOptions): Promise<void> {
  await journal.shorten().catch((error: unknown) => reporter.warn(onlyFailure(error).message));
}

export function linked(incidents: readonly Incident[], webUrl: Setting<string> | undefined) {
  return incidents.map((each) => ({ ...incidentFacts(each), link: incidentLink(webUrl, each.id) }));
}
