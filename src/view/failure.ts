// Draws a failure: the message, the next action, and the diagnostics with their source lines.
import type { Diagnostic } from "../diagnostic.ts";
import type { Failure, NextCommand } from "../failure.ts";
import { joinSafe, type SafeText, safe, spaces } from "../platform/terminal/safe-text.ts";
import { offsetOf } from "./source-line.ts";
import type { Style } from "./terminal/style.ts";

export function renderFailure(style: Style, failure: Failure): SafeText {
  const { commands = [], diagnostics = [], example } = failure.details;
  const lines = [
    ...diagnostics.map((diagnostic) => safe`${renderDiagnostic(style, diagnostic)}\n`),
    safe`${style.color.red.bold("error:")} ${style.line(failure.message)}`,
    safe`${style.color.bold("  next:")} ${style.line(failure.hint)}`,
    ...renderExample(style, example),
    ...renderCommands(style, commands),
  ];
  return safe`${joinSafe(lines)}\n`;
}

function renderExample(style: Style, example: string | undefined): SafeText[] {
  return example === undefined ? [] : example.split("\n").map((line) => safe`    ${style.line(line)}`);
}

/** Each command below its purpose, ready to copy. */
function renderCommands(style: Style, commands: readonly NextCommand[]): SafeText[] {
  return commands.flatMap(({ command, purpose }) => [
    style.color.dim(safe`    # ${style.line(purpose)}`),
    safe`    ${style.line(command)}`,
  ]);
}

/** `file:line:column`, the message, the source line with a marker, and the correction. */
function renderDiagnostic(style: Style, diagnostic: Diagnostic): SafeText {
  const { location } = diagnostic;
  const position = safe`${style.line(location.file)}:${location.start.line}:${location.start.column}`;
  const level = diagnostic.level === "error" ? style.color.red("error") : style.color.yellow("warning");
  const head = safe`${style.color.bold(position)}: ${level}: ${style.line(diagnostic.message)} ${style.color.dim(safe`[${diagnostic.code}]`)}`;
  return joinSafe([
    head,
    ...renderFrame(style, diagnostic),
    safe`  ${style.color.bold("fix:")} ${style.line(diagnostic.hint)}`,
    ...renderExample(style, diagnostic.example),
  ]);
}

/** The source line with a marker below it; of a long line, the part around the marker. */
function renderFrame(style: Style, { location: { start, end, source } }: Diagnostic): SafeText[] {
  if (source === "") return [];
  const room = style.width - 10;
  const from = start.column - 1;
  const first = source.length <= room ? 0 : Math.max(0, from - Math.floor(room / 3));
  const offset = offsetOf(source, first);
  // A code point has at most two UTF-16 units.
  const shown = [...source.slice(offset, offset + 2 * room)].slice(0, room);
  const isCut = offset + shown.join("").length < source.length;
  const to = end.line === start.line ? Math.max(end.column - 1, from + 1) : first + shown.length;
  const cells = (begin: number, end: number) => style.measure(style.line(shown.slice(begin, end).join("")));
  const marked = Math.max(1, cells(from - first, to - first));
  const number = safe`${start.line}`;
  const startMark = first > 0 ? "…" : "";
  const before = spaces(cells(0, from - first) + startMark.length);
  const marker = style.color.red(style.line("^".repeat(marked)));
  return [
    safe`${style.color.dim(safe`  ${number} | `)}${startMark}${style.line(shown.join(""))}${isCut ? "…" : ""}`,
    safe`${style.color.dim(safe`  ${spaces(number.length)} | `)}${before}${marker}`,
  ];
}
