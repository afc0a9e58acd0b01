// Draws the rules of a contract, and how a service's document differs from it.
import type { Style } from "./terminal/style.ts";
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

/** Names who checks each rule only where some are built in. */
export function renderRules(style: Style, rules: readonly ShownRule[]): string {
  if (rules.length === 0) return "";
  const isMixed = rules.some(({ builtIn }) => builtIn);
  const rows = rules.map(({ rule, at, builtIn }) => [
    style.line(rule),
    ...(isMixed ? [builtIn ? style.color.dim("built in") : "contract"] : []),
    style.color.dim(style.line(at)),
  ]);
  return renderTable(style, ["RULE", ...(isMixed ? ["CHECKED BY"] : []), "IN THE DOCUMENT"], rows);
}

export function renderDifferences(style: Style, differences: readonly ShownDifference[]): string {
  if (differences.length === 0) return "";
  const { color } = style;
  const colorOf = {
    breaks: color.red.bold,
    stricter: color.yellow,
    looser: color.green,
    other: color.dim,
  } as const satisfies Record<ShownDifference["effect"], (text: string) => string>;
  const rows = differences.map(({ effect, message, at }) => [
    colorOf[effect](effect),
    style.line(message),
    color.dim(style.line(at)),
  ]);
  return renderTable(style, ["EFFECT", "DIFFERENCE", "WHERE"], rows);
}
