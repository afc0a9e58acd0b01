// The status page: what customers would have seen of these incidents. It is one document that needs nothing
// else, neither a script nor any other resource.

import type { Incident } from "../create-incident.ts";
import { renderHistory } from "./history.ts";
import { type Html, html } from "./html.ts";
import { isOpen, renderIncident, type Severity, severityRank, startOf } from "./incident.ts";
import { pageStyle } from "./style.ts";

export interface PageOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What this page is, above everything else: it must never pass for the real one. */
  readonly notice: string;
  /** Path of the script that keeps the page live; without one the page stays as it is. */
  readonly live?: string;
}

/** More than anybody reads. The page of ten thousand open incidents is still a page. */
const mostOpen = 50;

/** The page as a whole document. */
export function renderPage(incidents: readonly Incident[], { now, notice, live }: PageOptions): string {
  const open = incidents.filter(isOpen).sort(bySeverityAndAge);
  const summary = summaryOf(open);
  const untold = open.length - mostOpen;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${live === undefined ? html`<meta http-equiv="content-security-policy" content="${policyOf(live)}">` : liveHead(live)}
<title>${summary} · Status</title>
<style>${{ html: pageStyle.text }}</style>
</head>
<body>
<a class="skip" href="#status">Skip to the status</a>
<aside class="notice" aria-label="What this page is"><p>${notice}</p></aside>
<header>
<p class="brand"><span class="mark" aria-hidden="true"></span>Status</p>
${live === undefined ? undefined : html`<p class="connection" role="status" data-connection></p>`}
</header>
<main id="status">
<section class="summary" data-severity="${open[0]?.severity ?? "NONE"}" aria-labelledby="summary">
<h1 id="summary">${summary}</h1>
<p>${detailOf(open)}</p>
</section>
${open.length === 0 ? undefined : renderOpen(open.slice(0, mostOpen), untold)}
${renderHistory(incidents, now)}
</main>
<footer>
<p>All times are UTC.</p>
</footer>
</body>
</html>
`.html;
}

/** What the page may load: its own style, and where it is live its script and itself. */
export function policyOf(live: string | undefined): string {
  const scripts = live === undefined ? "" : " script-src 'self'; connect-src 'self';";
  return `default-src 'none'; style-src '${pageStyle.hash}';${scripts} base-uri 'none'; form-action 'none'`;
}

/** Without scripts the page loads itself again every five seconds. */
function liveHead(live: string): Html {
  return html`<noscript><meta http-equiv="refresh" content="5"></noscript>
<script src="${live}" defer></script>`;
}

function renderOpen(open: readonly Incident[], untold: number): Html {
  return html`<section aria-labelledby="open">
<h2 id="open">Open now</h2>
${open.map((incident) => renderIncident(incident, "h3"))}
${untold > 0 ? html`<p class="more">and ${untold} more that are open</p>` : undefined}
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

function bySeverityAndAge(one: Incident, other: Incident): number {
  const rank = severityRank(one.severity as Severity) - severityRank(other.severity as Severity);
  return rank || startOf(other) - startOf(one);
}
