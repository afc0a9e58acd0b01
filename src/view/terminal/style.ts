// The style of output for people: width, color, times, and the functions that make untrusted text safe to print. The
// only importer of chalk.
import { Chalk, type ChalkInstance } from "chalk";
import { escapeLine, escapeLines } from "./escape.ts";
import { measureText, splitWord } from "./measure.ts";
import { formatAgo, formatTime, instantOf } from "./time.ts";
import { wrapText } from "./wrap.ts";

export interface StyleOptions {
  readonly columns: number;
  readonly color: boolean;
  /** Whether the output can show symbols beyond ASCII. */
  readonly unicode: boolean;
  /** The offset of the reader's local time from UTC at an instant, in minutes. */
  readonly localOffset: (at: number) => number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the output is a terminal. Elsewhere lines are not wrapped, so that they can be searched. */
  readonly isTerminal: boolean;
}

export interface Style {
  /** In terminal cells. */
  readonly width: number;
  readonly color: ChalkInstance;
  readonly unicode: boolean;
  /** Escapes one line of untrusted text. */
  line(text: string): string;
  /** Escapes untrusted text of several lines, wraps it at the width, and indents every line. */
  block(text: string, indent: number): string;
  /** Wraps a line of safe text between words at the width of the terminal, and indents the lines after the first. */
  indent(line: string, indent: number): string;
  /** The width of `text` in cells. */
  measure(text: string): number;
  /** Pads with spaces to `cells`. */
  pad(text: string, cells: number): string;
  /** An ISO date-time in the user's time zone, as `2026-11-20 07:31 +01:00`. Escapes any other text. */
  time(text: string): string;
  /** The time since an ISO date-time, such as `12 min ago`; undefined for any other text. */
  ago(text: string): string | undefined;
}

export function createStyle(options: StyleOptions): Style {
  const width = Math.max(20, options.columns);
  return {
    width,
    color: new Chalk({ level: options.color ? 1 : 0 }),
    unicode: options.unicode,
    line: escapeLine,
    block(text, indent) {
      const room = Math.max(20, Math.min(width, 100) - indent);
      return escapeLines(text)
        .flatMap((line) => wrapText(line, { width: room, measure: measureText, split: splitWord }))
        .map((line) => (line === "" ? "" : " ".repeat(indent) + line))
        .join("\n");
    },
    indent: (line, indent) =>
      options.isTerminal ? wrapText(line, { width, indent, measure: measureText }).join("\n") : line,
    measure: measureText,
    pad: (text, cells) => text + " ".repeat(Math.max(0, cells - measureText(text))),
    time: (text) => formatTime(text, options.localOffset),
    ago: (text) => {
      const at = instantOf(text);
      return at === undefined ? undefined : formatAgo(at, options.now);
    },
  };
}
