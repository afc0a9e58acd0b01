// How a person sees incidents: one as a page with its timeline, several as a table.
import type { IncidentFacts, UpdateFacts } from "../incident/wire.ts";
import type { Paper } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

type Ink = "red" | "yellow" | "cyan" | "green" | "magenta" | "dim";

interface Mark {
  readonly symbol: string;
  /** In the symbol's place where only ASCII can be shown. */
  readonly ascii: string;
  readonly ink: Ink;
}

// A symbol beside each word, so that nothing is said by colour alone.
const severityMarks: Readonly<Record<string, Mark>> = {
  CRITICAL: { symbol: "▲▲", ascii: "!!", ink: "red" },
  MAJOR: { symbol: "▲", ascii: "!", ink: "magenta" },
  MEDIUM: { symbol: "◆", ascii: "+", ink: "yellow" },
  MINOR: { symbol: "▽", ascii: "-", ink: "cyan" },
};
const statusMarks: Readonly<Record<string, Mark>> = {
  INVESTIGATING: { symbol: "●", ascii: "*", ink: "red" },
  IDENTIFIED: { symbol: "◐", ascii: "~", ink: "yellow" },
  MONITORING: { symbol: "○", ascii: "o", ink: "cyan" },
  RESOLVED: { symbol: "✔", ascii: "=", ink: "green" },
};
const unknownMark: Mark = { symbol: "?", ascii: "?", ink: "dim" };

function mark(paper: Paper, marks: typeof severityMarks, value: string | undefined): string {
  if (value === undefined) return paper.ink.dim("not given");
  const { symbol, ascii, ink } = marks[value] ?? unknownMark;
  return paper.ink[ink](`${paper.unicode ? symbol : ascii} ${paper.line(value)}`);
}

/** Where the values of the facts begin. */
const factIndent = 12;

/** A page for one incident: what it is, then its timeline, newest first; what `isNew` holds for is marked. */
export function renderIncident(
  paper: Paper,
  incident: IncidentFacts,
  isNew: (update: UpdateFacts) => boolean = () => false,
): string {
  const services = incident.services.map(({ name, id }) => paper.line(name ?? id ?? "?"));
  const rows: readonly (readonly [string, string])[] = [
    ["status", mark(paper, statusMarks, incident.status)],
    ["severity", mark(paper, severityMarks, incident.severity)],
    ["services", inColumns(paper, services) || "none"],
    ["created", timeOf(paper, incident.createdAt).join(", ")],
    ["updated", timeOf(paper, incident.updatedAt).join(", ")],
    // Its unit is not shown (spec 2.5), so none is claimed.
    ["duration", incident.duration === undefined ? "" : `${paper.line(incident.duration)} (unit not stated)`],
    ["id", paper.line(incident.id)],
  ];
  const facts = rows
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `  ${paper.ink.dim(label.padEnd(factIndent - 3))} ${value}`);
  const title = paper.ink.bold(paper.block(incident.name ?? "(no name)", 0));
  const updates = newestFirst(incident.updates).map((update) => renderUpdate(paper, update, isNew(update)));
  return `${[title, "", ...facts, "", updates.join("\n\n")].join("\n").trimEnd()}\n`;
}

function renderUpdate(paper: Paper, update: UpdateFacts, isNew: boolean): string {
  const details = [...timeOf(paper, update.at), ...(update.notified ? ["subscribers notified"] : [])].map(
    (part) => paper.ink.dim(part),
  );
  const head = [
    ...(isNew ? [paper.ink.inverse(" NEW ")] : []),
    mark(paper, statusMarks, update.status),
    ...details,
  ];
  return `${flow(paper, head, 2)}\n${paper.block(update.description ?? "", 4)}`;
}

/** How long ago, and when: what of it can be said. */
function timeOf(paper: Paper, text: string | undefined): string[] {
  if (text === undefined) return [];
  const ago = paper.ago(text);
  return ago === undefined ? [paper.time(text)] : [ago, paper.time(text)];
}

/** Parts side by side, as many as a line has room for; the lines after the first are indented further. */
function flow(paper: Paper, parts: readonly string[], indent: number): string {
  const dot = paper.ink.dim(paper.unicode ? " · " : ", ");
  const lines: string[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const joined = line === undefined ? " ".repeat(indent) + part : line + dot + part;
    if (line === undefined || paper.measure(joined) <= paper.width)
      lines[Math.max(0, lines.length - 1)] = joined;
    else lines.push(" ".repeat(indent + 2) + part);
  }
  return lines.join("\n");
}

/** On one line if they fit, else in columns below one another. */
function inColumns(paper: Paper, names: readonly string[]): string {
  const room = paper.width - factIndent;
  const list = names.join(", ");
  if (paper.measure(list) <= room) return list;
  const cell = Math.max(...names.map(paper.measure)) + 2;
  const perLine = Math.max(1, Math.floor((room + 2) / cell));
  const lines: string[] = [];
  for (let at = 0; at < names.length; at += perLine) {
    const row = names.slice(at, at + perLine).map((name) => paper.pad(name, cell));
    lines.push(row.join("").trimEnd());
  }
  return lines.join(`\n${" ".repeat(factIndent)}`);
}

/** By time where every update has one; else the other way round than the service lists them. */
export function newestFirst(updates: IncidentFacts["updates"]): IncidentFacts["updates"] {
  const times = new Map(updates.map((update) => [update, Date.parse(update.at ?? "")]));
  const reversed = [...updates].reverse();
  if ([...times.values()].some(Number.isNaN)) return reversed;
  return reversed.sort((a, b) => (times.get(b) as number) - (times.get(a) as number));
}

/** A table of several incidents, one line each. */
export function renderIncidents(paper: Paper, incidents: readonly IncidentFacts[]): string {
  const rows = incidents.map((incident) => [
    paper.line(incident.id),
    mark(paper, statusMarks, incident.status),
    mark(paper, severityMarks, incident.severity),
    paper.line(incident.name ?? "(no name)"),
  ]);
  return renderTable(paper, ["ID", "STATUS", "SEVERITY", "NAME"], rows);
}
