// The status page that customers would see, as one HTML document that loads no other resource but an optional script.
import type { Incident } from "../create-incident.ts";
import { type Html, html } from "./html.ts";
import { stylesheet, stylesheetHash } from "./style.ts";

export interface PageOptions {
  /** A banner on top that tells the page from the real one. */
  readonly notice: string;
  /** The path of the script that updates the page; without it, the page is static. */
  readonly scriptPath?: string;
}

const maxOpen = 50;
const maxInHistory = 100;

export function renderPage(incidents: readonly Incident[], { notice, scriptPath }: PageOptions): string {
  const open = incidents.filter(isOpen).sort(bySeverityAndAge);
  const summary = summaryOf(open);
  const hidden = open.length - maxOpen;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${scriptPath === undefined ? html`<meta http-equiv="content-security-policy" content="${contentSecurityPolicy(undefined)}">` : renderScript(scriptPath)}
<title>${summary} · Status</title>
<style>${{ html: stylesheet }}</style>
</head>
<body>
<a class="skip" href="#status">Skip to the status</a>
<aside class="notice" aria-label="What this page is"><p>${notice}</p></aside>
<header>
<p class="brand"><span class="mark" aria-hidden="true"></span>Status</p>
${scriptPath === undefined ? undefined : html`<p class="connection" role="status" data-connection></p>`}
</header>
<main id="status">
<section class="summary" data-severity="${open[0]?.severity ?? "NONE"}" aria-labelledby="summary">
<h1 id="summary">${summary}</h1>
<p>${detailOf(open)}</p>
</section>
${open.length === 0 ? undefined : renderOpen(open.slice(0, maxOpen), hidden)}
${renderHistory(incidents)}
</main>
<footer>
<p>All times are UTC.</p>
</footer>
</body>
</html>
`.html;
}

/** Allows the page's own stylesheet and, for a live page, its script and requests to the sandbox. */
export function contentSecurityPolicy(scriptPath: string | undefined): string {
  const scripts = scriptPath === undefined ? "" : " script-src 'self'; connect-src 'self';";
  return `default-src 'none'; style-src '${stylesheetHash}';${scripts} base-uri 'none'; form-action 'none'`;
}

/** Without scripting, the browser reloads the page every five seconds. */
function renderScript(scriptPath: string): Html {
  return html`<noscript><meta http-equiv="refresh" content="5"></noscript>
<script src="${scriptPath}" defer></script>`;
}

function renderOpen(open: readonly Incident[], hidden: number): Html {
  return html`<section aria-labelledby="open">
<h2 id="open">Open now</h2>
${open.map((incident) => renderIncident(incident, "h3"))}
${hidden > 0 ? html`<p class="more">and ${hidden} more that are open</p>` : undefined}
</section>`;
}

function summaryOf(open: readonly Incident[]): string {
  if (open.length === 0) return "Everything is running";
  return open.length === 1 ? "1 open incident" : `${open.length} open incidents`;
}

function detailOf(open: readonly Incident[]): string {
  if (open.length === 0) return "No incident is open.";
  const services = [...new Set(open.flatMap((incident) => incident.services.map(({ name }) => name)))];
  const shown = services.slice(0, 6);
  const more = services.length - shown.length;
  return `Affected: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The incidents of each day, the newest day first. */
function renderHistory(incidents: readonly Incident[]): Html {
  const newestFirst = incidents
    .map((incident) => ({ incident, start: startOf(incident) }))
    .sort((one, other) => other.start - one.start);
  const byDay = new Map<string, Incident[]>();
  for (const { incident, start } of newestFirst.slice(0, maxInHistory)) {
    const day = new Date(start).toISOString().slice(0, 10);
    byDay.set(day, [...(byDay.get(day) ?? []), incident]);
  }
  const days = [...byDay].map(([day, shown]) => renderDay(day, shown));
  const more =
    incidents.length > maxInHistory
      ? html`<p class="more">${incidents.length} in all; the newest ${maxInHistory} are shown</p>`
      : undefined;
  return html`<section aria-labelledby="history">
<h2 id="history">History</h2>
${days.length === 0 ? html`<p class="more">No incidents</p>` : days}${more}
</section>`;
}

function renderDay(day: string, incidents: readonly Incident[]): Html {
  return html`<section class="day">
<h3><time datetime="${day}">${formatDay(Date.parse(day))}</time></h3>
${incidents.map(renderEntry)}
</section>
`;
}

/** An open incident links to its details above; a resolved one expands here. */
function renderEntry(incident: Incident): Html {
  const head = html`<span class="entry-name" dir="auto">${incident.name}</span>${severityLabel(incident.severity)} ${statusLabel(incident.lastUpdateStatus)}`;
  if (isOpen(incident)) return html`<p class="entry"><a href="#incident-${incident.id}">${head}</a></p>`;
  return html`<details class="entry" id="entry-${incident.id}"><summary>${head}</summary>
${renderIncident(incident, "h4")}</details>`;
}

const severities: readonly string[] = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];

/** Orders the most severe first, and of one severity the newest. */
function bySeverityAndAge(one: Incident, other: Incident): number {
  const rank = severities.indexOf(one.severity) - severities.indexOf(other.severity);
  return rank || startOf(other) - startOf(one);
}

function isOpen(incident: Incident): boolean {
  return incident.lastUpdateStatus !== "RESOLVED";
}

/** The time of the first update, or else of the creation (spec 2.1), in milliseconds since the epoch. */
function startOf({ incidentUpdates, created_at }: Incident): number {
  const times = incidentUpdates.map(({ publicIncidentUpdateDate }) => Date.parse(publicIncidentUpdateDate));
  return times.length > 0 ? Math.min(...times) : Date.parse(created_at);
}

function renderIncident(incident: Incident, heading: "h3" | "h4"): Html {
  const { id, name, severity, lastUpdateStatus, services } = incident;
  const title = html`<span dir="auto">${name}</span>`;
  return html`<article class="incident" id="incident-${id}" data-severity="${severity}">
<p class="labels">${severityLabel(severity)}${isInTimeline(incident) ? undefined : html` ${statusLabel(lastUpdateStatus)}`}</p>
${heading === "h3" ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}
<ul class="services" aria-label="Affected services">
${services.map((service) => html`<li dir="auto">${service.name}</li>`)}
</ul>
${renderTimeline(incident)}
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

function renderTimeline(incident: Incident): Html | undefined {
  if (incident.incidentUpdates.length === 0) return undefined;
  return html`<ol class="timeline">
${latestFirst(incident).map(
  ({ status, description, at, notifySubscribers }) => html`<li data-status="${status}">
<p class="when"><strong>${labelText(status)}</strong> ${renderTime(at)}${notifySubscribers ? html`<span class="notified">Subscribers notified</span>` : undefined}</p>
<p class="text" dir="auto">${description}</p>
</li>
`,
)}</ol>`;
}

function statusLabel(status: string): Html {
  return html`<span class="status" data-status="${status}">${labelText(status)}</span>`;
}

function severityLabel(severity: string): Html {
  return html`<span class="severity" data-severity="${severity}">${labelText(severity)}</span>`;
}

/** Turns `INVESTIGATING` into `Investigating`. */
function labelText(value: string): string {
  return value.slice(0, 1) + value.slice(1).toLowerCase();
}

const dateFormat = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", timeStyle: "short" });

function formatDay(time: number): string {
  return dateFormat.format(time);
}

function renderTime(time: number): Html {
  const instant = new Date(time).toISOString();
  return html`<time datetime="${instant}">${formatDay(time)}, ${timeFormat.format(time)} UTC</time>`;
}
