// -o markdown: incidents for a chat or a post-mortem. Escapes headings, links and mentions in their texts.
import { oldestFirst } from "../../incident/updates.ts";
import type { IncidentFacts, UpdateFacts } from "../../incident/wire.ts";
import {
  assumeSafe,
  escapeLine,
  escapeLines,
  joinSafe,
  type SafePart,
  type SafeText,
  safe,
} from "../../platform/terminal/safe-text.ts";
import { formatElapsed, instantOf } from "../../text/date-times.ts";

export function renderIncidents(incidents: readonly IncidentFacts[]): SafeText {
  return joinSafe(incidents.map(renderSection));
}

function renderSection(incident: IncidentFacts): SafeText {
  const services = incident.services.map(({ name, id }) => inline(name ?? id ?? "?"));
  const ordered = oldestFirst(incident).toReversed();
  const updates = ordered.map((update, index) => renderUpdate(update, ordered[index + 1]));
  return joinSafe([
    safe`## ${inline(incident.name ?? "(no name)")}`,
    safe``,
    ...fact("Status", incident.status, inline),
    ...fact("Severity", incident.severity, inline),
    ...fact("Services", services, (all) => joinSafe(all, ", ") || safe`none`),
    ...incident.lines.flatMap(({ label, value }) =>
      fact(inline(`${label[0]?.toUpperCase()}${label.slice(1)}`), value, timeOf),
    ),
    ...fact("Id", incident.id, inline),
    ...fact("Link", incident.link, address),
    safe``,
    ...updates.flatMap((update) => [update, safe``]),
  ]);
}

/** `earlier`: the update before it in time. */
function renderUpdate(
  { status, at, notified, description, lines: own }: UpdateFacts,
  earlier: UpdateFacts | undefined,
): SafeText {
  const [end, start] = [instantOf(at ?? ""), instantOf(earlier?.at ?? "")];
  const elapsed = end !== undefined && start !== undefined && end > start ? end - start : undefined;
  const head = [
    safe`**${inline(status ?? "not given")}**`,
    ...(at === undefined ? [] : [timeOf(at)]),
    ...(elapsed === undefined ? [] : [inline(`after ${formatElapsed(elapsed)}`)]),
    ...(notified ? [safe`subscribers notified`] : []),
    ...own.map(({ label, value }) => safe`${inline(label)} ${timeOf(value)}`),
  ];
  // Quotes every line, so that no text can end the quotation.
  const lines = escapeLines(description ?? "").map((line) => safe`> ${inline(line)}`.trimEnd());
  return joinSafe([joinSafe(head, " · "), safe``, ...lines]);
}

/** Between angle brackets, no character of an address is markup, but one that ends a cell of a table. */
export const address = (link: string) => safe`<${escapeLine(link.replaceAll("|", "%7C"))}>`;

function fact<const L extends string, T>(
  label: SafePart<L>,
  value: T | undefined,
  draw: (value: T) => SafeText,
): SafeText[] {
  return value === undefined ? [] : [safe`- **${label}:** ${draw(value)}`];
}

/** In UTC, for readers in several time zones. */
function timeOf(text: string): SafeText {
  const at = instantOf(text);
  return inline(at === undefined ? text : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`);
}

/** The characters that start markup anywhere in a line, in CommonMark and in chats. */
const markup = /[\\`*_[\]<>#~|&]/g;

/** The markup at the start of a line: a list, a rule, the underline of a heading. */
const leadingMarkup = /^([-+=]|\d+(?=[.)]))/;

/** Escapes text for one line. A zero-width space disables mentions, because Markdown has no escape for them. */
export function inline(text: string): SafeText {
  const escaped = escapeLine(text)
    .trim()
    .replace(markup, "\\$&")
    .replace(leadingMarkup, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`))
    .replace(/(?<!\w)@(?=\w)/g, "@\u200b");
  return assumeSafe(escaped);
}
