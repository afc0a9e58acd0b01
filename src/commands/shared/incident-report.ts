// The report of incidents as the service returned them.
import type { Failure } from "../../failure.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { Report } from "../../kit/report.ts";
import type { Setting } from "../../workspace/setting.ts";
import { incidentLink } from "../../workspace/web-url.ts";

export function incidentsReport(
  incidents: readonly Incident[],
  webUrl: Setting<string> | undefined,
  failure?: Failure,
): Report<"incidents"> {
  if (incidents.length === 0 && failure !== undefined) return { failure };
  return { ...linked(incidents, webUrl), ...(failure && { failure }) };
}

/** With the addresses in the web application. */
export function linked(incidents: readonly Incident[], webUrl: Setting<string> | undefined) {
  const facts = incidents.map((each) => ({ ...incidentFacts(each), link: incidentLink(webUrl, each.id) }));
  return { is: "incidents", incidents, facts } as const;
}
