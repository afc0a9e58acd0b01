// The style of output for people: width, color, times, and the functions that make untrusted text safe to print.
import stringWidth from "string-width";
import type { Output, System } from "../../platform/context.ts";
import {
  assumeSafe,
  escapeLine,
  escapeLines,
  joinSafe,
  type SafePart,
  type SafeText,
  safe,
  spaces,
} from "../../platform/terminal/safe-text.ts";
import { localTime } from "../../text/date-times.ts";
import { wrapText } from "../../text/lengths.ts";

export type Paint = <const T extends string>(text: SafePart<T>) => SafeText;

const colorNames = ["red", "yellow", "cyan", "green", "magenta", "dim", "bold"] as const;

export type Colors = Readonly<Record<(typeof colorNames)[number], Paint & { readonly bold: Paint }>>;

export const noColors = Object.fromEntries(
  colorNames.map((name) => [name, Object.assign(plain, { bold: plain })]),
) as Colors;

function plain<const T extends string>(text: SafePart<T>): SafeText {
  return safe`${text}`;
}

export type Style = ReturnType<typeof createStyle>;

/** `isTerminal`: whether a person reads it at a terminal of this width. */
export function createStyle(
  { columns, isTerminal }: Pick<Output, "columns" | "isTerminal">,
  color: Colors,
  localOffset: System["localOffset"],
) {
  /** In terminal cells. */
  const width = Math.max(20, columns);
  return {
    color,
    isTerminal,
    width,
    line: escapeLine,
    /** Escapes untrusted text of several lines, wraps it at the width, and indents every line. */
    block(text: string, indent: number): SafeText {
      const room = Math.max(20, Math.min(width, 100) - indent);
      const lines = escapeLines(text).flatMap((line) => wrapText(line, room, measureText).map(assumeSafe));
      return joinSafe(lines.map((line) => (line === "" ? line : safe`${spaces(indent)}${line}`)));
    },
    measure: measureText,
    /** Adds spaces until the text fills the cells. */
    pad: <const T extends string>(text: SafePart<T>, cells: number): SafeText =>
      safe`${assumeSafe(text)}${spaces(Math.max(0, cells - measureText(text)))}`,
    /** An ISO date-time in the user's time zone, as `2026-11-20 07:31 +01:00`. Escapes any other text. */
    time: (text: string): SafeText => escapeLine(localTime(text, localOffset)),
    exactTime: (text: string): SafeText => escapeLine(localTime(text, localOffset, "seconds")),
  };
}

/** Whether to use color. In order of precedence: a flag, NO_COLOR, FORCE_COLOR, the terminal. */
export function supportsColor(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
  flags: { readonly color?: boolean | undefined; readonly noColor?: boolean | undefined },
): boolean {
  if (flags.noColor) return false;
  if (flags.color) return true;
  if (env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env.TERM !== "dumb";
}

/** Latin letters, the punctuation of prose and the symbols of a page: each takes one cell. */
const singleCells = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u25a0-\u25fc\u2714]*$/;

const color = new RegExp(`${"\u001b"}\\[[\\d;]*m`, "g");

/** The width of `text` in cells. `string-width` takes quadratic time in Node.js 20, so it gets a long text in parts. */
export function measureText(text: string): number {
  if (singleCells.test(text)) return text.length;
  const parts = text.replace(color, "").match(/.{1,64}/gsu) ?? [];
  return parts.reduce((cells, part) => cells + stringWidth(part), 0);
}
