// Draws the journal: a table of operations, or one operation with all its events.

import { joinSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { toSeconds } from "../text/date-times.ts";
import { escapeLine } from "./terminal/escape.ts";
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface OperationFacts {
  readonly id: string;
  /** The service's own id, if it is known. */
  readonly serviceId?: string | undefined;
  readonly link?: string;
  readonly state: string;
  /** The status of the incident, as far as this machine knows it. */
  readonly status?: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly account?: string | undefined;
  /** The alerts that this machine saw while the incident was open. */
  readonly firedAgain?: { readonly count: number; readonly last: string };
  readonly events: readonly { readonly at: string; readonly type: string; readonly detail: string }[];
}

/** The number of incidents whose links are below the table. `incident open` prints the others. */
const linksShown = 5;

/** `none`: said where the list is empty. */
export function renderOperations(
  style: Style,
  operations: readonly OperationFacts[],
  none: "nothing was sent from here" | "none of the incidents is open" = "nothing was sent from here",
): SafeText {
  if (operations.length === 0) return safe`${escapeLine(none)}\n`;
  const rows = operations.map(({ events, id, name, state, status = "" }) => [
    style.line(id),
    colorState(style, state),
    style.line(status),
    style.time(events.at(-1)?.at ?? ""),
    style.line(name),
  ]);
  const links = operations.flatMap(({ link }) => (link === undefined ? [] : [style.line(link)]));
  const table = renderTable(style, ["ID", "HERE", "LAST STATUS", "SINCE", "NAME"], rows);
  return links.length === 0 ? table : safe`${table}\n${joinSafe(links.slice(0, linksShown))}\n`;
}

export function renderOperation(style: Style, operation: OperationFacts): SafeText {
  const rows: ["state" | "id" | "service" | "account" | "its own id" | "alert", SafeText][] = [
    ["state", colorState(style, operation.state)],
    ["id", style.line(operation.id)],
    ["service", style.line(operation.baseUrl)],
    ["account", style.line(operation.account ?? "none")],
  ];
  if (operation.serviceId !== undefined && operation.serviceId !== operation.id) {
    rows.push(["its own id", style.line(operation.serviceId)]);
  }
  const { firedAgain } = operation;
  if (firedAgain !== undefined) {
    const times = firedAgain.count === 1 ? "once more" : `${firedAgain.count} more times`;
    const text = `fired ${times} while it was open, last at ${toSeconds(firedAgain.last)} (on this machine)`;
    rows.push(["alert", style.line(text)]);
  }
  const facts = rows.map(([label, value]) =>
    style.indent(safe`  ${style.color.dim(style.pad(label, 10))} ${value}`, 13),
  );
  const events = operation.events.map(
    ({ at, type, detail }) =>
      safe`  ${style.color.dim(style.line(toSeconds(at)))}  ${style.line(type)}${detail === "" ? "" : safe`: ${style.line(detail)}`}`,
  );
  const title = style.color.bold(style.line(operation.name));
  return safe`${joinSafe([title, safe``, ...facts, safe``, ...events])}\n`;
}

function colorState(style: Style, state: string): SafeText {
  if (state === "created") return style.color.green("created");
  return state === "uncertain" || state === "sending" ? style.color.yellow(state) : style.line(state);
}
