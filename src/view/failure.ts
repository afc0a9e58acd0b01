// Draws a failure: the message, the next action, and the diagnostics with their source lines.
import type { Diagnostic } from "../diagnostic.ts";
import type { Failure, NextCommand } from "../failure.ts";
import { joinSafe, type SafeText, safe, spaces } from "../platform/terminal/safe-text.ts";
import { commandText } from "../text/advice.ts";
import { offsetOf } from "./source-line.ts";
import type { Style } from "./terminal/style.ts";

export function renderFailure(style: Style, failure: Failure): SafeText {
  const { commands = [], diagnostics = [], example, response } = failure.details;
  const lines = [
    ...diagnostics.map((diagnostic) => safe`${renderDiagnostic(style, diagnostic)}\n`),
    style.indent(safe`${style.color.red.bold("error:")} ${style.line(failure.message)}`, 7),
    style.indent(safe`${style.color.bold("  next:")} ${style.advice(failure.details.hint)}`, 8),
    ...(response?.requestId === undefined
      ? []
      : [style.color.dim(safe`  request id: ${style.line(response.requestId)}`)]),
    ...renderExample(style, example),
    ...renderCommands(style, commands),
  ];
  return safe`${joinSafe(lines)}\n`;
}

function renderExample(style: Style, example: string | undefined): SafeText[] {
  return example === undefined ? [] : example.split("\n").map((line) => safe`    ${style.line(line)}`);
}

function renderCommands(style: Style, commands: readonly NextCommand[]): SafeText[] {
  const widest = (texts: readonly string[]) =>
    texts.reduce((width, text) => Math.max(width, style.measure(text)), 0);
  const width = widest(commands.map(({ command }) => style.line(commandText(command))));
  const longest = widest(commands.map(({ purpose }) => purpose));
  // The purpose goes on the line above, so that the command stays on one line where it can.
  if (width + longest + 8 > style.width) {
    return commands.flatMap(({ command, purpose }) => [
      ...style
        .block(purpose, 6)
        .split("\n")
        .map((line) => safe`    ${style.color.dim(safe`# ${line.slice(6)}`)}`),
      style.command(style.line(commandText(command)), 4),
    ]);
  }
  return commands.map(
    ({ command, purpose }) =>
      safe`    ${style.pad(style.line(commandText(command)), width)}  ${style.color.dim(safe`# ${style.line(purpose)}`)}`,
  );
}

/** `file:line:column`, the message, the source line with a marker, and the correction. */
function renderDiagnostic(style: Style, diagnostic: Diagnostic): SafeText {
  const { location } = diagnostic;
  const position = safe`${style.line(location.file)}:${location.start.line}:${location.start.column}`;
  const level = diagnostic.level === "error" ? style.color.red("error") : style.color.yellow("warning");
  const head = safe`${style.color.bold(position)}: ${level}: ${style.line(diagnostic.message)} ${style.color.dim(safe`[${diagnostic.code}]`)}`;
  return joinSafe([
    style.indent(head, 2),
    ...renderFrame(style, diagnostic),
    style.indent(safe`  ${style.color.bold("fix:")} ${style.line(diagnostic.hint)}`, 7),
    ...renderExample(style, diagnostic.example),
  ]);
}

/** The most UTF-16 units for each cell of the width. Only the part of a longer line around the marker is measured. */
const maxUnitsPerCell = 16;

function renderFrame(style: Style, { location: { start, end, source } }: Diagnostic): SafeText[] {
  if (source === "") return [];
  const room = style.width - 10;
  const cells = (part: readonly string[]) => style.measure(style.line(part.join("")));

  const from = start.column - 1;
  const isShort = source.length <= maxUnitsPerCell * room && cells([...source]) <= room;
  const first = isShort ? 0 : Math.max(0, from - Math.floor(room / 3));
  const offset = offsetOf(source, first);
  const characters = [...source.slice(offset, offset + maxUnitsPerCell * room)];
  const shown = isShort ? characters : fitting(style, characters, room);
  const isCut = offset + shown.join("").length < source.length;
  const to = end.line === start.line ? Math.max(end.column - 1, from + 1) : first + shown.length;
  const marked = Math.max(1, cells(characters.slice(from - first, Math.min(to - first, shown.length))));
  const ellipsis = style.unicode ? "…" : "~";
  const number = safe`${start.line}`;
  const part = style.line(shown.join(""));
  const before = spaces(cells(characters.slice(0, from - first)) + (first > 0 ? 1 : 0));
  return [
    safe`${style.color.dim(safe`  ${number} | `)}${first > 0 ? ellipsis : ""}${part}${isCut ? ellipsis : ""}`,
    safe`${style.color.dim(safe`  ${spaces(number.length)} | `)}${before}${style.color.red(style.line("^".repeat(marked)))}`,
  ];
}

/** The longest prefix that fits into `room` cells. */
function fitting(style: Style, characters: readonly string[], room: number): readonly string[] {
  let left = room;
  const end = characters.findIndex((character) => {
    left -= style.measure(style.line(character));
    return left < 0;
  });
  return end === -1 ? characters : characters.slice(0, end);
}
