// The symbol and the color of each severity and each status.
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "./terminal/style.ts";

interface Mark {
  readonly symbol: "▲▲" | "▲" | "◆" | "▽" | "●" | "◐" | "○" | "✔" | "?";
  /** The symbol for ASCII output. */
  readonly ascii: "!!" | "!" | "+" | "-" | "*" | "~" | "o" | "=" | "?";
  readonly color: "red" | "yellow" | "cyan" | "green" | "magenta" | "dim";
}

// A symbol beside each word, so that color is never the only signal.
const marks: ReadonlyMap<string, Mark> = new Map<string, Mark>([
  ["CRITICAL", { symbol: "▲▲", ascii: "!!", color: "red" }],
  ["MAJOR", { symbol: "▲", ascii: "!", color: "magenta" }],
  ["MEDIUM", { symbol: "◆", ascii: "+", color: "yellow" }],
  ["MINOR", { symbol: "▽", ascii: "-", color: "cyan" }],
  ["INVESTIGATING", { symbol: "●", ascii: "*", color: "red" }],
  ["IDENTIFIED", { symbol: "◐", ascii: "~", color: "yellow" }],
  ["MONITORING", { symbol: "○", ascii: "o", color: "cyan" }],
  ["RESOLVED", { symbol: "✔", ascii: "=", color: "green" }],
]);
const unknownMark: Mark = { symbol: "?", ascii: "?", color: "dim" };

/** A severity or a status. */
export function mark(style: Style, value: string | undefined): SafeText {
  if (value === undefined) return style.color.dim("not given");
  const { symbol, ascii, color } = marks.get(value) ?? unknownMark;
  return style.color[color](safe`${style.unicode ? symbol : ascii} ${style.line(value)}`);
}
