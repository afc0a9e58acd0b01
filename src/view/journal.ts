// How a person sees the journal: a line for each operation, or one with everything that happened to it.
import type { Paper } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface OperationFacts {
  readonly id: string;
  /** The service's own id, where it is known. */
  readonly serviceId?: string | undefined;
  readonly state: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly account?: string | undefined;
  readonly events: readonly { readonly at: string; readonly type: string; readonly detail: string }[];
}

export function renderOperations(paper: Paper, operations: readonly OperationFacts[]): string {
  if (operations.length === 0) return "nothing was sent from here\n";
  const rows = operations.map(({ events, id, name, state }) => [
    paper.line(id),
    ink(paper, state),
    paper.time(events.at(-1)?.at ?? ""),
    paper.line(name),
  ]);
  return renderTable(paper, ["ID", "STATE", "SINCE", "NAME"], rows);
}

export function renderOperation(paper: Paper, operation: OperationFacts): string {
  const rows: [string, string][] = [
    ["state", ink(paper, operation.state)],
    ["id", paper.line(operation.id)],
    ["service", paper.line(operation.baseUrl)],
    ["account", paper.line(operation.account ?? "none")],
  ];
  if (operation.serviceId !== undefined && operation.serviceId !== operation.id) {
    rows.push(["its own id", paper.line(operation.serviceId)]);
  }
  const facts = rows.map(([label, value]) => `  ${paper.ink.dim(label.padEnd(10))} ${value}`);
  const events = operation.events.map(
    ({ at, type, detail }) =>
      `  ${paper.ink.dim(paper.line(at))}  ${paper.line(type)}${detail === "" ? "" : `: ${paper.line(detail)}`}`,
  );
  return `${[paper.ink.bold(paper.line(operation.name)), "", ...facts, "", ...events].join("\n")}\n`;
}

function ink(paper: Paper, state: string): string {
  if (state === "created") return paper.ink.green(state);
  return state === "uncertain" || state === "sending" ? paper.ink.yellow(state) : paper.line(state);
}
