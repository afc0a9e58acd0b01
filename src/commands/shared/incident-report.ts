// The report of `get` and `create`: incidents as the service returned them.
import type { Failure } from "../../failure.ts";
import { type Incident, type IncidentFacts, incidentFacts } from "../../incident/wire.ts";
import type { Report } from "../../kit/report.ts";
import type { Setting } from "../../workspace/setting.ts";
import { incidentLink } from "../../workspace/web-url.ts";

/** The formats of incidents. */
type IncidentFormat = "table" | "json" | "id" | "markdown";

/** One incident is a page and a JSON object; several are a table and an array. */
export function incidentsReport(
  incidents: readonly Incident[],
  webUrl: Setting<string> | undefined,
  failure?: Failure,
): Report<IncidentFormat> {
  if (incidents.length === 0 && failure !== undefined) return { failure };
  const [first, ...others] = incidents;
  return {
    data: first !== undefined && others.length === 0 ? first : incidents,
    ids: incidents.map(({ id }) => id),
    page: async (style) => {
      const { renderIncident, renderIncidents } = await import("../../view/incident.ts");
      const facts = linkedFacts(incidents, webUrl);
      const [first, ...others] = facts;
      return first !== undefined && others.length === 0
        ? renderIncident(style, first)
        : renderIncidents(style, facts);
    },
    markdown: async () => {
      const { renderMarkdown } = await import("../../view/reports/markdown.ts");
      return renderMarkdown(linkedFacts(incidents, webUrl));
    },
    ...(failure === undefined ? {} : { failure }),
  };
}

/** For people: the facts, each with the address in the web application. The JSON of the service stays as it is. */
export function linkedFacts(
  incidents: readonly Incident[],
  webUrl: Setting<string> | undefined,
): readonly IncidentFacts[] {
  return incidents.map((incident) => ({
    ...incidentFacts(incident),
    link: incidentLink(webUrl, incident.id),
  }));
}
