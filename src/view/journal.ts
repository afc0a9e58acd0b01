// Draws the journal: a table of operations, or one operation with all its events.
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface OperationFacts {
  readonly id: string;
  /** The service's own id, if it is known. */
  readonly serviceId?: string | undefined;
  readonly state: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly account?: string | undefined;
  readonly events: readonly { readonly at: string; readonly type: string; readonly detail: string }[];
}

export function renderOperations(style: Style, operations: readonly OperationFacts[]): string {
  if (operations.length === 0) return "nothing was sent from here\n";
  const rows = operations.map(({ events, id, name, state }) => [
    style.line(id),
    colorState(style, state),
    style.time(events.at(-1)?.at ?? ""),
    style.line(name),
  ]);
  return renderTable(style, ["ID", "STATE", "SINCE", "NAME"], rows);
}

export function renderOperation(style: Style, operation: OperationFacts): string {
  const rows: [string, string][] = [
    ["state", colorState(style, operation.state)],
    ["id", style.line(operation.id)],
    ["service", style.line(operation.baseUrl)],
    ["account", style.line(operation.account ?? "none")],
  ];
  if (operation.serviceId !== undefined && operation.serviceId !== operation.id) {
    rows.push(["its own id", style.line(operation.serviceId)]);
  }
  const facts = rows.map(([label, value]) => `  ${style.color.dim(label.padEnd(10))} ${value}`);
  const events = operation.events.map(
    ({ at, type, detail }) =>
      `  ${style.color.dim(style.line(at))}  ${style.line(type)}${detail === "" ? "" : `: ${style.line(detail)}`}`,
  );
  return `${[style.color.bold(style.line(operation.name)), "", ...facts, "", ...events].join("\n")}\n`;
}

function colorState(style: Style, state: string): string {
  if (state === "created") return style.color.green(state);
  return state === "uncertain" || state === "sending" ? style.color.yellow(state) : style.line(state);
}
