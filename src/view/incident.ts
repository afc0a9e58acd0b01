// Draws incidents: one as a page with its timeline, several as a table, each severity and status with a symbol and a color.
import { oldestFirst } from "../incident/updates.ts";
import type { IncidentFacts, UpdateFacts } from "../incident/wire.ts";
import { joinSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

const longestLabel = 9;

export function renderIncident(style: Style, incident: IncidentFacts): SafeText {
  const services = incident.services.map(({ name, id }) => style.line(name ?? id ?? "?"));
  const rows = [
    ["status", mark(style, incident.status)],
    ["severity", mark(style, incident.severity)],
    ["services", joinSafe(services, ", ") || safe`none`],
    ...incident.lines.map(({ label, value }) => [style.line(label), style.time(value)] as const),
    ["id", style.line(incident.id)],
    ["link", style.line(incident.link ?? "")],
  ] as const;
  const facts = rows
    .filter(([, value]) => value !== "")
    .map(([label, value]) => safe`  ${style.color.dim(style.pad(label, longestLabel))} ${value}`);
  const title = style.color.bold(style.block(incident.name ?? "(no name)", 0));
  const updates = oldestFirst(incident)
    .toReversed()
    .map((update) => renderUpdate(style, update));
  return safe`${joinSafe([title, safe``, ...facts, safe``, joinSafe(updates, "\n\n")]).trimEnd()}\n`;
}

function renderUpdate(style: Style, update: UpdateFacts): SafeText {
  const details = [
    ...(update.at === undefined ? [] : [style.time(update.at)]),
    ...(update.notified ? [safe`subscribers notified`] : []),
    ...update.lines.map(({ label, value }) => safe`${style.line(label)} ${style.time(value)}`),
  ].map((part) => style.color.dim(part));
  const head = [mark(style, update.status), ...details];
  const dot = style.color.dim(" · ");
  return safe`  ${joinSafe(head, dot)}\n${style.block(update.description ?? "", 4)}`;
}

export function renderIncidents(style: Style, incidents: readonly IncidentFacts[]): SafeText {
  const rows = incidents.map((incident) => [
    style.line(incident.id),
    mark(style, incident.status),
    mark(style, incident.severity),
    style.line(incident.name ?? "(no name)"),
  ]);
  const links = incidents.flatMap(({ link }) => (link === undefined ? [] : [style.line(link)]));
  const table = renderTable(style, ["ID", "STATUS", "SEVERITY", "NAME"], rows);
  return links.length === 0 ? table : safe`${table}\n${joinSafe(links)}\n`;
}

interface Mark {
  readonly symbol: "▲▲" | "▲" | "◆" | "▽" | "●" | "◐" | "○" | "✔" | "?";
  readonly color: "red" | "yellow" | "cyan" | "green" | "magenta" | "dim";
}

// A symbol beside each word, so that color is never the only signal.
const marks: ReadonlyMap<string, Mark> = new Map<string, Mark>([
  ["CRITICAL", { symbol: "▲▲", color: "red" }],
  ["MAJOR", { symbol: "▲", color: "magenta" }],
  ["MEDIUM", { symbol: "◆", color: "yellow" }],
  ["MINOR", { symbol: "▽", color: "cyan" }],
  ["INVESTIGATING", { symbol: "●", color: "red" }],
  ["IDENTIFIED", { symbol: "◐", color: "yellow" }],
  ["MONITORING", { symbol: "○", color: "cyan" }],
  ["RESOLVED", { symbol: "✔", color: "green" }],
]);
const unknownMark: Mark = { symbol: "?", color: "dim" };

function mark(style: Style, value: string | undefined): SafeText {
  if (value === undefined) return style.color.dim("not given");
  const { symbol, color } = marks.get(value) ?? unknownMark;
  return style.color[color](safe`${symbol} ${style.line(value)}`);
}
