// Draws findings: one row each, with the fix.
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Hint } from "../text/advice.ts";
import type { Paint, Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface ShownFinding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong" | "skipped";
  readonly message: string;
  readonly hint?: Hint;
}

export function renderFindings(style: Style, findings: readonly ShownFinding[]): SafeText {
  const { color } = style;
  const colorOf = {
    ok: color.green,
    note: color.yellow,
    wrong: color.red.bold,
    skipped: color.dim,
  } as const satisfies Record<ShownFinding["status"], Paint>;
  const rows = findings.map(({ check, status, message, hint }) => [
    colorOf[status](status),
    style.line(check),
    safe`${style.line(message)}${hint === undefined ? "" : safe`; ${color.bold(style.advice(hint))}`}`,
  ]);
  return renderTable(style, ["RESULT", "CHECK", "FINDING"], rows);
}
