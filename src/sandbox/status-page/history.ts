// The history on the status page: a strip of the last thirty days, and then day by day what happened.

import type { Incident } from "../create-incident.ts";
import { type Html, html } from "./html.ts";
import {
  dayText,
  isOpen,
  renderIncident,
  type Severity,
  severityLabel,
  severityRank,
  startOf,
  statusLabel,
} from "./incident.ts";

const day = 86_400_000;
const daysInStrip = 30;
/** Days that are shown although nothing happened. */
const quietDays = 7;
/** More than anybody reads; whoever wants all of them asks the API. */
const mostIncidents = 100;

export function renderHistory(incidents: readonly Incident[], now: number): Html {
  const byDay = new Map<string, Incident[]>();
  const newestFirst = incidents
    .map((incident) => ({ incident, start: startOf(incident) }))
    .sort((one, other) => other.start - one.start);
  for (const { incident, start } of newestFirst) {
    const key = dayOf(start);
    const others = byDay.get(key);
    if (others) others.push(incident);
    else byDay.set(key, [incident]);
  }
  const strip = lastDays(now, daysInStrip).reverse();
  return html`<section aria-labelledby="history">
<h2 id="history">History</h2>
<ol class="strip" aria-label="The last ${daysInStrip} days">
${strip.map((key) => renderBar(key, byDay.get(key) ?? []))}
</ol>
<p class="strip-ends" aria-hidden="true"><span>${daysInStrip} days ago</span><span>Today</span></p>
${renderDays(byDay, lastDays(now, quietDays))}
</section>`;
}

function renderBar(key: string, incidents: readonly Incident[]): Html {
  const text = `${dayText(Date.parse(key))}: ${countText(incidents.length)}`;
  return html`<li data-severity="${worstOf(incidents)}" title="${text}"><span class="hidden">${text}</span></li>
`;
}

function renderDays(byDay: ReadonlyMap<string, readonly Incident[]>, quiet: readonly string[]): Html {
  const days = [...new Set([...byDay.keys(), ...quiet])].sort().reverse();
  const parts: Html[] = [];
  let room = mostIncidents;
  for (const key of days) {
    const incidents = byDay.get(key) ?? [];
    const shown = incidents.slice(0, Math.max(0, room));
    if (incidents.length > 0 && shown.length === 0) break;
    room -= shown.length;
    parts.push(renderDay(key, shown, incidents.length - shown.length));
  }
  const total = [...byDay.values()].reduce((sum, { length }) => sum + length, 0);
  const older =
    total > mostIncidents
      ? html`<p class="more">${total} in all; the newest ${mostIncidents} are shown</p>`
      : undefined;
  return html`${parts}${older}`;
}

function renderDay(key: string, incidents: readonly Incident[], untold: number): Html {
  return html`<section class="day">
<h3><time datetime="${key}">${dayText(Date.parse(key))}</time></h3>
${incidents.length === 0 ? html`<p class="quiet">No incidents</p>` : incidents.map(renderEntry)}
${untold > 0 ? html`<p class="more">and ${untold} more on this day</p>` : undefined}
</section>
`;
}

/** An open incident stands in full above; one that is over can be opened here. */
function renderEntry(incident: Incident): Html {
  const head = html`<span class="entry-name" dir="auto">${incident.name}</span>${severityLabel(incident.severity)} ${statusLabel(incident.lastUpdateStatus)}`;
  if (isOpen(incident)) return html`<p class="entry"><a href="#incident-${incident.id}">${head}</a></p>`;
  return html`<details class="entry" id="entry-${incident.id}"><summary>${head}</summary>
${renderIncident(incident, "h4")}</details>`;
}

function worstOf(incidents: readonly Incident[]): string {
  const ranked = incidents.map(({ severity }) => severity as Severity);
  return ranked.sort((one, other) => severityRank(one) - severityRank(other))[0] ?? "NONE";
}

function countText(count: number): string {
  if (count === 0) return "no incidents";
  return count === 1 ? "1 incident" : `${count} incidents`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Today first. */
function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - index * day));
}
