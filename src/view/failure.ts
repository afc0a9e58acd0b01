// How a person sees a failure: one sentence that says what happened, one that says what to do, and the
// diagnostics with their places.
import type { Diagnostic, Failure, NextCommand } from "../failure.ts";
import type { Paper } from "./terminal/style.ts";

export function renderFailure(paper: Paper, failure: Failure): string {
  const diagnostics = (failure.diagnostics ?? []).map(
    (diagnostic) => `${renderDiagnostic(paper, diagnostic)}\n`,
  );
  const lines = [
    ...diagnostics,
    paper.hang(`${paper.ink.red.bold("error:")} ${paper.line(failure.message)}`, 7),
    paper.hang(`${paper.ink.bold("  next:")} ${paper.line(failure.hint)}`, 8),
    ...renderCommands(paper, failure.commands ?? []),
  ];
  if (failure.publicText !== undefined) {
    lines.push("", paper.ink.dim("what customers should read:"), paper.block(failure.publicText, 2));
  }
  return `${lines.join("\n")}\n`;
}

function renderCommands(paper: Paper, commands: readonly NextCommand[]): string[] {
  const width = Math.max(...commands.map(({ command }) => paper.measure(paper.line(command))));
  const longest = Math.max(...commands.map(({ purpose }) => paper.measure(purpose)));
  // A command that is wrapped cannot be copied: its purpose goes above it.
  if (width + longest + 8 > paper.width) {
    return commands.flatMap(({ command, purpose }) => [
      `    ${paper.ink.dim(`# ${purpose}`)}`,
      `    ${paper.line(command)}`,
    ]);
  }
  return commands.map(
    ({ command, purpose }) =>
      `    ${paper.pad(paper.line(command), width)}  ${paper.ink.dim(`# ${purpose}`)}`,
  );
}

/** `file:line:column`, what is wrong, the source line with a marker, and what to write instead. */
export function renderDiagnostic(paper: Paper, diagnostic: Diagnostic): string {
  const { location } = diagnostic;
  const place = `${paper.line(location.file)}:${location.start.line}:${location.start.column}`;
  const level = diagnostic.level === "error" ? paper.ink.red("error") : paper.ink.yellow("warning");
  const head = `${paper.ink.bold(place)}: ${level}: ${paper.line(diagnostic.message)} ${paper.ink.dim(`[${diagnostic.code}]`)}`;
  return [
    paper.hang(head, 2),
    ...renderFrame(paper, diagnostic),
    paper.hang(`  ${paper.ink.bold("fix:")} ${paper.line(diagnostic.hint)}`, 7),
  ].join("\n");
}

function renderFrame(paper: Paper, { location }: Diagnostic): string[] {
  const { start, end } = location;
  const characters = [...location.source];
  if (characters.length === 0) return [];
  const from = start.column - 1;
  const to = end.line === start.line ? Math.max(end.column - 1, from + 1) : characters.length;
  const cells = (part: readonly string[]) => paper.measure(paper.line(part.join("")));

  // A long line is cut around the marker, so that the place can be seen.
  const room = paper.width - 10;
  const first = cells(characters) <= room ? 0 : Math.max(0, from - Math.floor(room / 3));
  const shown = fitting(paper, characters.slice(first), room);
  const cut = paper.unicode ? "…" : "~";
  const number = String(start.line);
  const gutter = (text: string) => paper.ink.dim(`  ${text.padStart(number.length)} | `);
  const marked = Math.max(1, cells(characters.slice(from, Math.min(to, first + shown.length))));
  return [
    gutter(number) +
      (first > 0 ? cut : "") +
      paper.line(shown.join("")) +
      (first + shown.length < characters.length ? cut : ""),
    gutter("") +
      " ".repeat(cells(characters.slice(first, from)) + (first > 0 ? 1 : 0)) +
      paper.ink.red("^".repeat(marked)),
  ];
}

/** As many of the characters as have room, however wide each is. */
function fitting(paper: Paper, characters: readonly string[], room: number): readonly string[] {
  let left = room;
  const end = characters.findIndex((character) => {
    left -= paper.measure(paper.line(character));
    return left < 0;
  });
  return end === -1 ? characters : characters.slice(0, end);
}
