// The symbol and the color of each severity and each status.
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "./terminal/style.ts";

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

export function mark(style: Style, value: string | undefined): SafeText {
  if (value === undefined) return style.color.dim("not given");
  const { symbol, color } = marks.get(value) ?? unknownMark;
  return style.color[color](safe`${symbol} ${style.line(value)}`);
}
