// The facts of operations, and their pages: a table, or one operation with all its events.

import { type Change, type OperationEvent, type OperationLog, shownState } from "../../journal/events.ts";
import { describeOrigin } from "../../journal/fleet/origin.ts";
import { joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Style } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";

/** One operation with all its events. */
export function operationReport(log: OperationLog) {
  const data = factsOf(log);
  return { is: "page" as const, data, page: (style: Style) => renderOperation(style, data) };
}

/** `status`: of the incident, as far as this machine knows it. */
export function factsOf(log: OperationLog, status?: string) {
  const { change, created, events, key, name = "" } = log;
  const sent = events.findLast((event) => event.type === "sending");
  const notify = change?.kind === "update" ? change.notify : sent?.notify;
  return {
    id: key.id,
    ...(created && { serviceId: created.serviceId }),
    state: shownState(log),
    ...(change && { change: factsOfChange(change) }),
    ...(status !== undefined && { status }),
    name,
    baseUrl: key.baseUrl,
    ...(key.account && { account: key.account }),
    ...(notify !== undefined && { notify }),
    ...(sent?.key !== undefined && { key: sent.key }),
    ...(sent?.dedupKey !== undefined && { dedupKey: sent.dedupKey }),
    events: events.map((event) => ({
      at: event.at,
      type: event.type,
      detail: describeEvent(event),
      ...(event.origin && { origin: event.origin }),
    })),
  };
}

function factsOfChange(change: Change) {
  if (change.kind === "edit") return change;
  const { incidentId, kind, status } = change;
  return { kind, incidentId, ...(status !== undefined && { status }) };
}

/** The title of an operation, on one line: the name of its incident, and the kind of a change. */
function titleOf({ change, name }: OperationFacts): string {
  if (change === undefined) return name;
  const of = name === "" ? change.incidentId : name;
  return change.kind === "update"
    ? `update${change.status === undefined ? "" : ` ${change.status}`} of ${of}`
    : `edit (${change.fields.join(", ")}) of ${of}`;
}

type OperationFacts = ReturnType<typeof factsOf>;

function describeEvent(event: OperationEvent): string {
  switch (event.type) {
    case "sending": {
      const { confirmed, withId } = event;
      return [
        ...(withId ? [] : ["without an id"]),
        ...(confirmed === undefined ? [] : [`confirmed as ${confirmed}`]),
      ].join("; ");
    }
    case "refused":
      return event.message;
    case "unsent":
    case "uncertain":
      return event.reason;
    case "created":
      return { answer: "", reading: "found by reading", person: "settled by a person" }[event.by];
    case "not-created":
      return "settled by a person";
    case "fired":
      return `the alert with the start time ${event.alertStarts.join(", ")}`;
    case "pruned":
      return `${event.summary.state}; the text was dropped`;
  }
}

export function renderOperations(style: Style, operations: readonly OperationFacts[]): SafeText {
  if (operations.length === 0) return safe`nothing matches\n`;
  const rows = operations.map((operation) => [
    style.line(operation.id),
    colorState(style, operation.state),
    style.line(operation.status ?? ""),
    style.time(operation.events.at(-1)?.at ?? ""),
    style.line(titleOf(operation)),
  ]);
  return renderTable(style, ["ID", "HERE", "LAST STATUS", "SINCE", "NAME"], rows);
}

function renderOperation(style: Style, operation: OperationFacts): SafeText {
  const { account = "none", baseUrl, change, events, id, serviceId, state } = operation;
  const facts = Object.entries({
    state,
    incident: change?.incidentId,
    id,
    service: baseUrl,
    account,
    "service id": serviceId === id ? undefined : serviceId,
  }).flatMap(([label, value]) =>
    value === undefined
      ? []
      : [safe`  ${style.color.dim(style.line(label.padEnd(10)))} ${style.line(value)}`],
  );
  let last = "";
  const lines = events.flatMap(({ at, type, detail, origin }) => {
    const previous = last;
    last = origin === undefined ? last : describeOrigin(origin);
    const said = detail === "" ? safe`` : safe`: ${style.line(detail)}`;
    return [
      safe`  ${style.color.dim(style.exactTime(at))}  ${style.line(type)}${said}`,
      ...(last === previous ? [] : [safe`    ${style.color.dim(style.line(last))}`]),
    ];
  });
  const title = style.color.bold(style.line(titleOf(operation)));
  return safe`${joinSafe([title, safe``, ...facts, safe``, ...lines])}\n`;
}

function colorState(style: Style, state: string): SafeText {
  if (state === "created") return style.color.green("created");
  return state === "uncertain" || state === "sending" ? style.color.yellow(state) : style.line(state);
}
