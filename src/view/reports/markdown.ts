// Renders incidents as Markdown, for a chat or a post-mortem. Escapes text, so that a heading, a link or a mention in
// it stays plain text.
import { milestonesOf } from "../../incident/milestones.ts";
import type { IncidentFacts, UpdateFacts } from "../../incident/wire.ts";
import { newestFirst } from "../incident.ts";
import { showEntries } from "../shown-entries.ts";
import { escapeLine, escapeLines } from "../terminal/escape.ts";
import { formatElapsed, formatUtc, instantOf } from "../terminal/time.ts";

/** One section for each incident, with times in UTC for readers in several time zones. */
export function renderMarkdown(incidents: readonly IncidentFacts[]): string {
  return incidents.map(renderSection).join("\n");
}

function renderSection(incident: IncidentFacts): string {
  const services = showEntries(incident.services);
  const names = services.shown.map(({ name, id }) => inline(name ?? id ?? "?"));
  const ordered = newestFirst(incident.updates);
  const updates = showEntries(ordered);
  const { toIdentify, toResolve } = milestonesOf(incident, instantOf);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Status", incident.status && inline(incident.status)],
    ["Severity", incident.severity && inline(incident.severity)],
    ["Services", [...names, ...(services.rest ? [services.rest] : [])].join(", ") || "none"],
    ["Created", incident.createdAt && inline(formatUtc(incident.createdAt))],
    ["Updated", incident.updatedAt && inline(formatUtc(incident.updatedAt))],
    ["Time to identify", toIdentify === undefined ? undefined : formatElapsed(toIdentify)],
    ["Time to resolve", toResolve === undefined ? undefined : formatElapsed(toResolve)],
    ["Id", inline(incident.id)],
  ];
  return [
    `## ${inline(incident.name ?? "(no name)")}`,
    "",
    ...facts.filter(([, value]) => value !== undefined).map(([label, value]) => `- **${label}:** ${value}`),
    "",
    ...updates.shown.flatMap((update, index) => renderUpdate(update, ordered[index + 1])),
    ...(updates.rest ? [updates.rest, ""] : []),
  ].join("\n");
}

/** `earlier` is the update before it in time. */
function renderUpdate(
  { status, at, notified, description }: UpdateFacts,
  earlier: UpdateFacts | undefined,
): string[] {
  const [end, start] = [instantOf(at ?? ""), instantOf(earlier?.at ?? "")];
  const after =
    end !== undefined && start !== undefined && end > start && `after ${formatElapsed(end - start)}`;
  const details = [at && inline(formatUtc(at)), after, notified && "subscribers notified"].filter(Boolean);
  const head = [`**${inline(status ?? "not given")}**`, ...details].join(" · ");
  // Quotes every line, so that no text can end the quotation.
  const lines = escapeLines(description ?? "").map((line) => `> ${inline(line)}`.trimEnd());
  return [head, "", ...lines, ""];
}

/** The characters that start markup anywhere in a line, in CommonMark and in chats. */
const markup = /[\\`*_[\]<>#~|&]/g;

/** The markup at the start of a line: a list, a rule, the underline of a heading. */
const leadingMarkup = /^([-+=]|\d+(?=[.)]))/;

/** Escapes text for one line. A zero-width space disables mentions, because Markdown has no escape for them. */
function inline(text: string): string {
  return escapeLine(text)
    .trim()
    .replace(markup, "\\$&")
    .replace(leadingMarkup, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))
    .replace(/(?<!\w)@(?=\w)/g, "@\u200b");
}
