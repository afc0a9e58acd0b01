// How a person sees what was checked: one line each, with what mends it.
import type { Paper } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface ShownFinding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong" | "skipped";
  readonly message: string;
  readonly hint?: string;
}

export function renderFindings(paper: Paper, findings: readonly ShownFinding[]): string {
  const { ink } = paper;
  const inks = {
    ok: ink.green,
    note: ink.yellow,
    wrong: ink.red.bold,
    skipped: ink.dim,
  } as const satisfies Record<ShownFinding["status"], (text: string) => string>;
  const rows = findings.map(({ check, status, message, hint }) => [
    inks[status](status),
    check,
    paper.line(message) + (hint === undefined ? "" : `; ${ink.bold(paper.line(hint))}`),
  ]);
  return renderTable(paper, ["RESULT", "CHECK", "FINDING"], rows);
}
