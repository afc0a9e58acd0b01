// Draws incidents: one as a page with its timeline, several as a table.
import type { IncidentFacts, UpdateFacts } from "../incident/wire.ts";
import { showEntries } from "./shown-entries.ts";
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

type MarkColor = "red" | "yellow" | "cyan" | "green" | "magenta" | "dim";

interface Mark {
  readonly symbol: string;
  /** The symbol for ASCII output. */
  readonly ascii: string;
  readonly color: MarkColor;
}

// A symbol beside each word, so that color is never the only signal.
const severityMarks: ReadonlyMap<string, Mark> = new Map([
  ["CRITICAL", { symbol: "▲▲", ascii: "!!", color: "red" }],
  ["MAJOR", { symbol: "▲", ascii: "!", color: "magenta" }],
  ["MEDIUM", { symbol: "◆", ascii: "+", color: "yellow" }],
  ["MINOR", { symbol: "▽", ascii: "-", color: "cyan" }],
]);
const statusMarks: ReadonlyMap<string, Mark> = new Map([
  ["INVESTIGATING", { symbol: "●", ascii: "*", color: "red" }],
  ["IDENTIFIED", { symbol: "◐", ascii: "~", color: "yellow" }],
  ["MONITORING", { symbol: "○", ascii: "o", color: "cyan" }],
  ["RESOLVED", { symbol: "✔", ascii: "=", color: "green" }],
]);
const unknownMark: Mark = { symbol: "?", ascii: "?", color: "dim" };

function mark(style: Style, marks: typeof severityMarks, value: string | undefined): string {
  if (value === undefined) return style.color.dim("not given");
  const { symbol, ascii, color } = marks.get(value) ?? unknownMark;
  return style.color[color](`${style.unicode ? symbol : ascii} ${style.line(value)}`);
}

/** The column in which the values of the facts begin. */
const factIndent = 12;

/** The page of one incident: its facts, then its timeline, newest first. Marks the updates for which `isNew` holds. */
export function renderIncident(
  style: Style,
  incident: IncidentFacts,
  isNew: (update: UpdateFacts) => boolean = () => false,
): string {
  const services = showEntries(incident.services);
  const names = services.shown.map(({ name, id }) => style.line(name ?? id ?? "?"));
  const rows: readonly (readonly [string, string])[] = [
    ["status", mark(style, statusMarks, incident.status)],
    ["severity", mark(style, severityMarks, incident.severity)],
    ["services", inColumns(style, services.rest ? [...names, services.rest] : names) || "none"],
    ["created", timeParts(style, incident.createdAt).join(", ")],
    ["updated", timeParts(style, incident.updatedAt).join(", ")],
    // The spec does not state the unit (spec 2.5).
    ["duration", incident.duration === undefined ? "" : `${style.line(incident.duration)} (unit not stated)`],
    ["id", style.line(incident.id)],
  ];
  const facts = rows
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `  ${style.color.dim(label.padEnd(factIndent - 3))} ${value}`);
  const title = style.color.bold(style.block(incident.name ?? "(no name)", 0));
  const { shown, rest } = showEntries(newestFirst(incident.updates));
  const updates = shown.map((update) => renderUpdate(style, update, isNew(update)));
  if (rest !== undefined) updates.push(`  ${rest}`);
  return `${[title, "", ...facts, "", updates.join("\n\n")].join("\n").trimEnd()}\n`;
}

function renderUpdate(style: Style, update: UpdateFacts, isNew: boolean): string {
  const details = [...timeParts(style, update.at), ...(update.notified ? ["subscribers notified"] : [])].map(
    (part) => style.color.dim(part),
  );
  const head = [
    ...(isNew ? [style.color.inverse(" NEW ")] : []),
    mark(style, statusMarks, update.status),
    ...details,
  ];
  return `${flow(style, head, 2)}\n${style.block(update.description ?? "", 4)}`;
}

/** The time relative to now, if it is known, and the time. */
function timeParts(style: Style, text: string | undefined): string[] {
  if (text === undefined) return [];
  const ago = style.ago(text);
  return ago === undefined ? [style.time(text)] : [ago, style.time(text)];
}

/** Joins as many parts as fit into a line; indents the lines after the first further. */
function flow(style: Style, parts: readonly string[], indent: number): string {
  const dot = style.color.dim(style.unicode ? " · " : ", ");
  const lines: string[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const joined = line === undefined ? " ".repeat(indent) + part : line + dot + part;
    if (line === undefined || style.measure(joined) <= style.width)
      lines[Math.max(0, lines.length - 1)] = joined;
    else lines.push(" ".repeat(indent + 2) + part);
  }
  return lines.join("\n");
}

/** Joins the names in one line if they fit, else arranges them in columns. */
function inColumns(style: Style, names: readonly string[]): string {
  const room = style.width - factIndent;
  const list = names.join(", ");
  if (style.measure(list) <= room) return list;
  const cell = names.reduce((width, name) => Math.max(width, style.measure(name)), 0) + 2;
  const perLine = Math.max(1, Math.floor((room + 2) / cell));
  const lines: string[] = [];
  for (let at = 0; at < names.length; at += perLine) {
    const row = names.slice(at, at + perLine).map((name) => style.pad(name, cell));
    lines.push(row.join("").trimEnd());
  }
  return lines.join(`\n${" ".repeat(factIndent)}`);
}

/** Sorts by time if every update has one; else reverses the order of the service. */
export function newestFirst(updates: IncidentFacts["updates"]): IncidentFacts["updates"] {
  const times = new Map(updates.map((update) => [update, Date.parse(update.at ?? "")]));
  const reversed = [...updates].reverse();
  if ([...times.values()].some(Number.isNaN)) return reversed;
  return reversed.sort((a, b) => (times.get(b) as number) - (times.get(a) as number));
}

/** A table of several incidents, one row each. */
export function renderIncidents(style: Style, incidents: readonly IncidentFacts[]): string {
  const rows = incidents.map((incident) => [
    style.line(incident.id),
    mark(style, statusMarks, incident.status),
    mark(style, severityMarks, incident.severity),
    style.line(incident.name ?? "(no name)"),
  ]);
  return renderTable(style, ["ID", "STATUS", "SEVERITY", "NAME"], rows);
}
