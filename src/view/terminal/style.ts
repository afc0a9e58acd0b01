// What a person's output is drawn on: its width, its colours, the clock beside it, and the only ways to put
// untrusted text on it. The only importer of chalk.
import { Chalk, type ChalkInstance } from "chalk";
import { escapeLine, escapeLines } from "./escape.ts";
import { formatAgo, formatTime, instantOf } from "./time.ts";
import { measureText, wrapText } from "./wrap.ts";

export interface PaperOptions {
  readonly columns: number;
  readonly colour: boolean;
  /** Whether symbols beyond ASCII can be shown. */
  readonly unicode: boolean;
  /** Minutes that the reader's local time is ahead of UTC at an instant. */
  readonly localOffset: (at: number) => number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a person looks on: what goes elsewhere keeps its lines whole, so that they can be searched. */
  readonly isTerminal: boolean;
}

export interface Style {
  /** In terminal cells. */
  readonly width: number;
  readonly color: ChalkInstance;
  readonly unicode: boolean;
  /** One line of untrusted text, escaped. */
  line(text: string): string;
  /** Untrusted text of several lines, escaped, wrapped to the width and indented. */
  block(text: string, indent: number): string;
  /**
   * A line that is fit for a terminal already, wrapped between words at the width of a person's terminal; the lines
   * after the first are indented.
   */
  indent(line: string, indent: number): string;
  /** Cells that `text` takes up. */
  measure(text: string): number;
  /** Fills up with spaces to `cells`. */
  pad(text: string, cells: number): string;
  /** An ISO date-time as `2026-11-20 07:31 +01:00` in the user's zone; anything else as it is, escaped. */
  time(text: string): string;
  /** How long ago an ISO date-time was, such as `12 min ago`; undefined for anything else. */
  ago(text: string): string | undefined;
}

export function createStyle(options: PaperOptions): Style {
  const width = Math.max(20, options.columns);
  return {
    width,
    color: new Chalk({ level: options.colour ? 1 : 0 }),
    unicode: options.unicode,
    line: escapeLine,
    block(text, indent) {
      const room = Math.max(20, Math.min(width, 100) - indent);
      return escapeLines(text)
        .flatMap((line) => wrapText(line, room))
        .map((line) => (line === "" ? "" : " ".repeat(indent) + line))
        .join("\n");
    },
    indent: (line, indent) => (options.isTerminal ? hangText(line, indent, width) : line),
    measure: measureText,
    pad: (text, cells) => text + " ".repeat(Math.max(0, cells - measureText(text))),
    time: (text) => formatTime(text, options.localOffset),
    ago: (text) => {
      const at = instantOf(text);
      return at === undefined ? undefined : formatAgo(at, options.now);
    },
  };
}

/** A word that has no room in a line stands whole in its own: it may be an id or a path that is copied. */
function hangText(text: string, indent: number, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    const joined = `${line} ${word}`;
    if (line !== undefined && measureText(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(line === undefined ? word : " ".repeat(indent) + word);
  }
  return lines.join("\n");
}
