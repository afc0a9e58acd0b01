// The style of output for people: width, color, times, and the functions that make untrusted text safe to print.
import {
  assumeSafe,
  joinSafe,
  type SafePart,
  type SafeText,
  safe,
  spaces,
} from "../../platform/terminal/safe-text.ts";
import { Advice, commandText, type Hint } from "../../text/advice.ts";
import { escapeLine, escapeLines } from "./escape.ts";
import { measureText, splitWord } from "./measure.ts";
import { formatAgo, formatTime, instantOf } from "./time.ts";
import { wrapCommand, wrapSafe } from "./wrap.ts";

export interface StyleOptions {
  readonly columns: number;
  readonly color: Colors;
  readonly unicode: boolean;
  /** The offset of the reader's local time from UTC at an instant, in minutes. */
  readonly localOffset: (at: number) => number;
  readonly now: number;
  /** Whether the output is a terminal. Elsewhere lines are not wrapped, so that they can be searched. */
  readonly isTerminal: boolean;
}

export type Paint = <const T extends string>(text: SafePart<T>) => SafeText;

const colorNames = ["red", "yellow", "cyan", "green", "magenta", "dim", "bold", "inverse"] as const;

export type Colors = Readonly<Record<(typeof colorNames)[number], Paint & { readonly bold: Paint }>>;

export interface Style {
  /** The width in terminal cells. */
  readonly width: number;
  readonly color: Colors;
  readonly unicode: boolean;
  /** Whether lines are wrapped. */
  readonly isTerminal: boolean;
  /** One line of untrusted text, escaped. Where the output is not Unicode, `...` stands for an ellipsis. */
  line(text: string): SafeText;
  /** A next action, for `indent`, which breaks no line inside a command to copy. */
  advice(hint: Hint): SafeText;
  /** Escapes untrusted text of several lines, wraps it at the width, and indents every line. */
  block(text: string, indent: number): SafeText;
  /** Indents a command to copy; at a terminal that is too narrow for it, it goes on after a backslash. */
  command(command: SafeText, indent: number): SafeText;
  /** Wraps a line of safe text between words at the width of the terminal, and indents the lines after the first. */
  indent(line: SafeText, indent: number): SafeText;
  measure(text: string): number;
  pad<const T extends string>(text: SafePart<T>, cells: number): SafeText;
  /** An ISO date-time in the user's time zone, as `2026-11-20 07:31 +01:00`. Escapes any other text. */
  time(text: string): SafeText;
  /** The time since an ISO date-time, such as `12 min ago`; undefined for any other text. */
  ago(text: string): SafeText | undefined;
}

/** A space in a command to copy, until the text is wrapped. `escapeLine` leaves no such character in other text. */
const commandSpace = "\uE000";

export const noColors = Object.fromEntries(
  colorNames.map((name) => [name, Object.assign(plain, { bold: plain })]),
) as Colors;

function plain<const T extends string>(text: SafePart<T>): SafeText {
  return safe`${text}`;
}

export function createStyle(options: StyleOptions): Style {
  const width = Math.max(20, options.columns);
  const line = (text: string) =>
    options.unicode ? escapeLine(text) : assumeSafe(escapeLine(text).replaceAll("…", "..."));
  return {
    width,
    color: options.color,
    unicode: options.unicode,
    isTerminal: options.isTerminal,
    line,
    advice(hint) {
      const parts = hint instanceof Advice ? hint.parts : [hint];
      const drawn = parts.map((part) =>
        typeof part === "string"
          ? line(part)
          : assumeSafe(line(commandText(part)).replaceAll(" ", commandSpace)),
      );
      return joinSafe(drawn, "");
    },
    block(text, indent) {
      const room = Math.max(20, Math.min(width, 100) - indent);
      const lines = escapeLines(text).flatMap((line) =>
        wrapSafe(line, { width: room, measure: measureText, split: splitWord }),
      );
      return joinSafe(lines.map((line) => (line === "" ? line : safe`${spaces(indent)}${line}`)));
    },
    indent(line, indent) {
      const lines = options.isTerminal ? wrapSafe(line, { width, indent, measure: measureText }) : [line];
      return assumeSafe(joinSafe(lines).replaceAll(commandSpace, " "));
    },
    command: (line, indent) =>
      options.isTerminal
        ? joinSafe(wrapCommand(line, width, indent).map(assumeSafe))
        : safe`${spaces(indent)}${line}`,
    measure: measureText,
    pad: (text, cells) => safe`${assumeSafe(text)}${spaces(Math.max(0, cells - measureText(text)))}`,
    time: (text) => formatTime(text, options.localOffset),
    ago: (text) => {
      const at = instantOf(text);
      return at === undefined ? undefined : formatAgo(at, options.now);
    },
  };
}
