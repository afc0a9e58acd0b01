// One incident on the status page: severity, services and timeline, the newest update first.
import type { Incident } from "../create-incident.ts";
import { type Html, html } from "./html.ts";

const severities: readonly string[] = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];

/** Orders the most severe first, and of one severity the newest. */
export function bySeverityAndAge(one: Incident, other: Incident): number {
  const rank = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  return rank || startOf(other) - startOf(one);
}

export function isOpen(incident: Incident): boolean {
  return incident.lastUpdateStatus !== "RESOLVED";
}

/** The time of the first update, or else of the creation (spec 2.1), in milliseconds since the epoch. */
export function startOf({ incidentUpdates, created_at }: Incident): number {
  const times = incidentUpdates.map(({ publicIncidentUpdateDate }) => Date.parse(publicIncidentUpdateDate));
  return times.length > 0 ? Math.min(...times) : Date.parse(created_at);
}

export interface CardOptions {
  readonly heading: "h3" | "h4";
  /** Nothing was declared, so no subscriber was notified. */
  readonly isPreview: boolean;
}

export function renderIncident(incident: Incident, { heading, isPreview }: CardOptions): Html {
  const { id, name, severity, lastUpdateStatus, services } = incident;
  const title = html`<span dir="auto">${name}</span>`;
  return html`<article class="incident" id="incident-${id}" data-severity="${severity}">
<p class="labels">${severityLabel(severity)}${isInTimeline(incident) ? undefined : html` ${statusLabel(lastUpdateStatus)}`}</p>
${heading === "h3" ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}
<ul class="services" aria-label="Affected services">
${services.map((service) => html`<li dir="auto">${service.name}</li>`)}
</ul>
${renderTimeline(incident, isPreview)}
</article>
`;
}

function latestFirst({ incidentUpdates }: Incident) {
  return incidentUpdates
    .map((update) => ({ ...update, at: Date.parse(update.publicIncidentUpdateDate) }))
    .reverse()
    .sort((one, other) => other.at - one.at);
}

/** Whether the newest update shows the incident's status, so that a label would repeat it. */
function isInTimeline(incident: Incident): boolean {
  return latestFirst(incident)[0]?.status === incident.lastUpdateStatus;
}

function renderTimeline(incident: Incident, isPreview: boolean): Html | undefined {
  if (incident.incidentUpdates.length === 0) return undefined;
  const notified = isPreview ? "Notifies subscribers" : "Subscribers notified";
  return html`<ol class="timeline">
${latestFirst(incident).map(
  ({ status, description, at, notifySubscribers }) => html`<li data-status="${status}">
<p class="when"><strong>${labelText(status)}</strong> ${renderTime(at)}${notifySubscribers ? html`<span class="notified">${notified}</span>` : undefined}</p>
<p class="text" dir="auto">${description}</p>
</li>
`,
)}</ol>`;
}

export function statusLabel(status: string): Html {
  return html`<span class="status" data-status="${status}">${labelText(status)}</span>`;
}

export function severityLabel(severity: string): Html {
  return html`<span class="severity" data-severity="${severity}">${labelText(severity)}</span>`;
}

/** Turns `INVESTIGATING` into `Investigating`. */
function labelText(value: string): string {
  return value.slice(0, 1) + value.slice(1).toLowerCase();
}

const dateFormat = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", timeStyle: "short" });

export function formatDay(time: number): string {
  return dateFormat.format(time);
}

function renderTime(time: number): Html {
  const instant = new Date(time).toISOString();
  return html`<time datetime="${instant}">${formatDay(time)}, ${timeFormat.format(time)} UTC</time>`;
}
