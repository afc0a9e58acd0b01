// The history on the status page: a bar for each of the last thirty days, and the incidents of each day.
import type { Incident } from "../create-incident.ts";
import { type Html, html } from "./html.ts";
import {
  formatDay,
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
const recentDays = 7;
const maxIncidents = 100;

export function renderHistory(incidents: readonly Incident[], now: number, isPreview: boolean): Html {
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
${renderDays(byDay, lastDays(now, recentDays), isPreview)}
</section>`;
}

function renderBar(key: string, incidents: readonly Incident[]): Html {
  const text = `${formatDay(Date.parse(key))}: ${countText(incidents.length)}`;
  return html`<li data-severity="${highestSeverity(incidents)}" title="${text}"><span class="hidden">${text}</span></li>
`;
}

function renderDays(
  byDay: ReadonlyMap<string, readonly Incident[]>,
  recent: readonly string[],
  isPreview: boolean,
): Html {
  const days = [...new Set([...byDay.keys(), ...recent])].sort().reverse();
  const parts: Html[] = [];
  let remaining = maxIncidents;
  /** Days in a row without an incident, which are one entry. */
  let quiet: string[] = [];
  const foldQuiet = () => {
    if (quiet.length > 0) parts.push(renderQuiet(quiet));
    quiet = [];
  };
  for (const key of days) {
    const incidents = byDay.get(key) ?? [];
    if (incidents.length === 0) {
      quiet.push(key);
      continue;
    }
    foldQuiet();
    const shown = incidents.slice(0, Math.max(0, remaining));
    if (shown.length === 0) break;
    remaining -= shown.length;
    parts.push(renderDay(key, shown, incidents.length - shown.length, isPreview));
  }
  foldQuiet();
  const total = [...byDay.values()].reduce((sum, { length }) => sum + length, 0);
  const older =
    total > maxIncidents
      ? html`<p class="more">${total} in all; the newest ${maxIncidents} are shown</p>`
      : undefined;
  return html`${parts}${older}`;
}

/** `days` are in descending order, without a gap. */
function renderQuiet(days: readonly string[]): Html {
  const [last = "", first = last] = [days[0], days.at(-1)];
  const until = html`<time datetime="${last}">${formatDay(Date.parse(last))}</time>`;
  const range =
    first === last
      ? until
      : html`<time datetime="${first}">${formatDay(Date.parse(first))}</time> to ${until}`;
  return html`<section class="day">
<h3>${range}</h3>
<p class="quiet">No incidents</p>
</section>
`;
}

function renderDay(key: string, incidents: readonly Incident[], hidden: number, isPreview: boolean): Html {
  return html`<section class="day">
<h3><time datetime="${key}">${formatDay(Date.parse(key))}</time></h3>
${incidents.map((incident) => renderEntry(incident, isPreview))}
${hidden > 0 ? html`<p class="more">and ${hidden} more on this day</p>` : undefined}
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

function highestSeverity(incidents: readonly Incident[]): string {
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

/** The days in descending order, from today. */
function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - index * day));
}
