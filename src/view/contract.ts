// Draws the rules of a contract, and how a service's document differs from it.

import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Paint, Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface ShownRule {
  readonly rule: string;
  readonly at: string;
  readonly builtIn: boolean;
}

export interface ShownDifference {
  readonly effect: "breaks" | "stricter" | "looser" | "other";
  readonly message: string;
  readonly at: string;
}

/** The rules as a table. A column names the checker of each rule if some rules are built in. */
export function renderRules(style: Style, rules: readonly ShownRule[]): SafeText {
  if (rules.length === 0) return safe``;
  const isMixed = rules.some(({ builtIn }) => builtIn);
  const rows = rules.map(({ rule, at, builtIn }) => [
    style.line(rule),
    ...(isMixed ? [builtIn ? style.color.dim("built in") : safe`contract`] : []),
    style.color.dim(style.line(at)),
  ]);
  return isMixed
    ? renderTable(style, ["RULE", "CHECKED BY", "IN THE DOCUMENT"], rows)
    : renderTable(style, ["RULE", "IN THE DOCUMENT"], rows);
}

export function renderDifferences(style: Style, differences: readonly ShownDifference[]): SafeText {
  if (differences.length === 0) return safe``;
  const { color } = style;
  const colorOf = {
    breaks: color.red.bold,
    stricter: color.yellow,
    looser: color.green,
    other: color.dim,
  } as const satisfies Record<ShownDifference["effect"], Paint>;
  const rows = differences.map(({ effect, message, at }) => [
    colorOf[effect](effect),
    style.line(message),
    color.dim(style.line(at)),
  ]);
  return renderTable(style, ["EFFECT", "DIFFERENCE", "WHERE"], rows);
}
