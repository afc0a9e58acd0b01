// The status page that customers would see: an HTML document and its script, without a key, a rate limit or a fault.
import { countOf, firstOf } from "../../text/lengths.ts";
import type { Incident } from "../incidents.ts";
import { type ServiceResponse, textResponse } from "../response.ts";
import { pathOf, type ReceivedRequest } from "../route.ts";
import { type Html, html } from "./html.ts";
import { liveScript } from "./live-script.ts";
import { stylesheet } from "./style.ts";

/** The most incidents of a section. */
const maxShown = 50;

/** Allows the stylesheet and the script of the sandbox, and the requests of the script to it. */
const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Returns undefined for a request that is for neither the page nor a part of it. */
export function handleStatusPage(
  { method, url }: ReceivedRequest,
  incidents: () => readonly Incident[],
): ServiceResponse | undefined {
  const path = method === "GET" ? pathOf(url) : "";
  if (path === "/style.css") return textResponse(200, "text/css", stylesheet, headers);
  if (path === "/live.js") return textResponse(200, "text/javascript", liveScript, headers);
  return path === "/" ? textResponse(200, "text/html", renderPage(incidents()), headers) : undefined;
}

/** Without scripting, the browser reloads the page every five seconds. */
function renderPage(incidents: readonly Incident[]): string {
  const newest = incidents.toReversed();
  const open = newest.filter(isOpen).sort((one, other) => rankOf(one) - rankOf(other));
  const over = newest.filter((incident) => !isOpen(incident));
  const summary = open.length === 0 ? "Everything is running" : countOf(open.length, "open incident");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<script src="/live.js" defer></script>
<title>${summary} · Status</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#status">Skip to the status</a>
<aside class="notice" aria-label="What this page is"><p>This is a rehearsal: a sandbox on one machine. No customer sees it.</p></aside>
<header>
<p class="brand"><span class="mark" aria-hidden="true"></span>Status</p>
<p class="connection" role="status" data-connection></p>
</header>
<main id="status">
<section class="summary" data-severity="${open[0]?.severity ?? "NONE"}" aria-labelledby="summary">
<h1 id="summary">${summary}</h1>
<p>${affectedBy(open)}</p>
</section>
${renderSection("open", "Open now", open)}
${renderSection("history", "History", over)}
</main>
<footer>
<p>All times are UTC.</p>
</footer>
</body>
</html>
`.html;
}

function affectedBy(open: readonly Incident[]): string {
  if (open.length === 0) return "No incident is open.";
  const services = open.flatMap((incident) => incident.services.map(({ name }) => name));
  return `Affected: ${firstOf([...new Set(services)])}`;
}

function renderSection(id: string, title: string, incidents: readonly Incident[]): Html | undefined {
  if (incidents.length === 0) return undefined;
  const hidden = incidents.length - maxShown;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${incidents.slice(0, maxShown).map(renderIncident)}
${hidden > 0 ? html`<p class="more">and ${hidden} more</p>` : undefined}
</section>`;
}

const severities: readonly string[] = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];

const rankOf = ({ severity }: Incident) => severities.indexOf(severity);

function isOpen(incident: Incident): boolean {
  return incident.lastUpdateStatus !== "RESOLVED";
}

function renderIncident(incident: Incident): Html {
  const updates = incident.incidentUpdates
    .map((update) => ({ ...update, at: Date.parse(update.publicIncidentUpdateDate) }))
    .reverse()
    .sort((one, other) => other.at - one.at);
  // The newest update shows the status, unless there is none.
  const { lastUpdateStatus, severity } = incident;
  const status = updates[0]?.status === lastUpdateStatus ? undefined : label("status", lastUpdateStatus);
  const timeline = html`<ol class="timeline">
${updates.map(
  ({ status, description, at, notifySubscribers }) => html`<li data-status="${status}">
<p class="when"><strong>${labelText(status)}</strong> ${renderTime(at)}${notifySubscribers ? html`<span class="notified">Subscribers notified</span>` : undefined}</p>
<p class="text" dir="auto">${description}</p>
</li>
`,
)}</ol>`;
  return html`<article class="incident" id="incident-${incident.id}" data-severity="${isOpen(incident) ? severity : "NONE"}">
<p class="labels">${label("severity", severity)} ${status}</p>
<h3 dir="auto">${incident.name}</h3>
<ul class="services" aria-label="Affected services">
${incident.services.map((service) => html`<li dir="auto">${service.name}</li>`)}
</ul>
${updates.length === 0 ? undefined : timeline}
</article>
`;
}

function label(kind: "severity" | "status", value: string): Html {
  return html`<span class="${kind}" data-${kind}="${value}">${labelText(value)}</span>`;
}

/** Turns `INVESTIGATING` into `Investigating`. */
function labelText(value: string): string {
  return value.slice(0, 1) + value.slice(1).toLowerCase();
}

const format = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long", timeStyle: "short" });

function renderTime(time: number): Html {
  const instant = new Date(time).toISOString();
  return html`<time datetime="${instant}">${format.format(time)} UTC</time>`;
}
