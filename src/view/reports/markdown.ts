// An incident as Markdown, for a chat or a post-mortem. It hides how text is kept from turning into markup: a
// name with a heading, a link or a mention in it stays the text that it is.
import type { IncidentFacts, UpdateFacts } from "../../incident/wire.ts";
import { newestFirst } from "../incident.ts";
import { escapeLine, escapeLines } from "../terminal/escape.ts";
import { formatUtc } from "../terminal/time.ts";

/** One section for each incident; times are UTC, for readers in several zones. */
export function renderMarkdown(incidents: readonly IncidentFacts[]): string {
  return incidents.map(renderSection).join("\n");
}

function renderSection(incident: IncidentFacts): string {
  const services = incident.services.map(({ name, id }) => inline(name ?? id ?? "?"));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Status", incident.status && inline(incident.status)],
    ["Severity", incident.severity && inline(incident.severity)],
    ["Services", services.join(", ") || "none"],
    ["Created", incident.createdAt && inline(formatUtc(incident.createdAt))],
    ["Updated", incident.updatedAt && inline(formatUtc(incident.updatedAt))],
    ["Id", inline(incident.id)],
  ];
  return [
    `## ${inline(incident.name ?? "(no name)")}`,
    "",
    ...facts.filter(([, value]) => value !== undefined).map(([label, value]) => `- **${label}:** ${value}`),
    "",
    ...newestFirst(incident.updates).flatMap(renderUpdate),
  ].join("\n");
}

function renderUpdate({ status, at, notified, description }: UpdateFacts): string[] {
  const details = [at && inline(formatUtc(at)), notified && "subscribers notified"].filter(Boolean);
  const head = [`**${inline(status ?? "not given")}**`, ...details].join(" · ");
  // A quotation takes in every line, so that no text can end it.
  const lines = escapeLines(description ?? "").map((line) => `> ${inline(line)}`.trimEnd());
  return [head, "", ...lines, ""];
}

/** What can begin markup anywhere, in CommonMark and in chats. */
const marks = /[\\`*_[\]<>#~|&]/g;

/** What can begin it only at the start of a line: a list, a rule, a heading's underline. */
const leadingMark = /^([-+=]|\d+(?=[.)]))/;

/** Text on one line. A mention in it must call nobody, and no escape keeps a mention from that. */
function inline(text: string): string {
  return escapeLine(text)
    .trim()
    .replace(marks, "\\$&")
    .replace(leadingMark, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))
    .replace(/(?<!\w)@(?=\w)/g, "@\u200b");
}
