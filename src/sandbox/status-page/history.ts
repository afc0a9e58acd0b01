// The history on the status page: the incidents of each day, the newest day first.
import type { Incident } from "../create-incident.ts";
import { type Html, html } from "./html.ts";
import { formatDay, isOpen, renderIncident, severityLabel, startOf, statusLabel } from "./incident.ts";

const maxIncidents = 100;

export function renderHistory(incidents: readonly Incident[], isPreview: boolean): Html {
  const newestFirst = incidents
    .map((incident) => ({ incident, start: startOf(incident) }))
    .sort((one, other) => other.start - one.start);
  const byDay = new Map<string, Incident[]>();
  for (const { incident, start } of newestFirst.slice(0, maxIncidents)) {
    const day = new Date(start).toISOString().slice(0, 10);
    byDay.set(day, [...(byDay.get(day) ?? []), incident]);
  }
  const days = [...byDay].map(([day, shown]) => renderDay(day, shown, isPreview));
  const more =
    incidents.length > maxIncidents
      ? html`<p class="more">${incidents.length} in all; the newest ${maxIncidents} are shown</p>`
      : undefined;
  return html`<section aria-labelledby="history">
<h2 id="history">History</h2>
${days.length === 0 ? html`<p class="more">No incidents</p>` : days}${more}
</section>`;
}

function renderDay(day: string, incidents: readonly Incident[], isPreview: boolean): Html {
  return html`<section class="day">
<h3><time datetime="${day}">${formatDay(Date.parse(day))}</time></h3>
${incidents.map((incident) => renderEntry(incident, isPreview))}
</section>
`;
}

/** An open incident links to its details above; a resolved one expands here. */
function renderEntry(incident: Incident, isPreview: boolean): Html {
  const head = html`<span class="entry-name" dir="auto">${incident.name}</span>${severityLabel(incident.severity)} ${statusLabel(incident.lastUpdateStatus)}`;
  if (isOpen(incident)) return html`<p class="entry"><a href="#incident-${incident.id}">${head}</a></p>`;
  return html`<details class="entry" id="entry-${incident.id}"><summary>${head}</summary>
${renderIncident(incident, { heading: "h4", isPreview })}</details>`;
}
