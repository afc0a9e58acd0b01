// `incident journal show`: everything that the journal has of one operation.
import {
  type Change,
  incidentIdOf,
  type OperationEvent,
  type OperationLog,
  shownState,
} from "../../journal/events.ts";
import { describeOrigin } from "../../journal/fleet/origin.ts";
import { isChangeOf, newest } from "../../journal/model.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { pageReport } from "../../kit/report.ts";
import { joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Style } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
import { readIds } from "../shared/incident-ids.ts";
import { findOperation } from "../shared/journal.ts";

export const spec = {
  operands: "<id>",
  result: "page",
  examples: {
    "incident journal show 7c9e6679-7425-40de-944b-e07fc1f90ae7": "its attempts and their results",
  },
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { operands }) => {
  const [id = ""] = readIds(operands);
  const { journal, log } = await findOperation(context, id);
  const isChange = (each: OperationLog) => isChangeOf(each, incidentIdOf(log));
  const changes = log.change === undefined ? newest(await journal.model(log.key)).filter(isChange) : [];
  return operationReport(log, changes);
};

export function operationReport(log: OperationLog, changes: readonly OperationLog[] = []) {
  const facts = factsOf(log);
  const made = changes.map((change) => factsOf(change));
  const page = (style: Style) =>
    made.length === 0
      ? renderOperation(style, facts)
      : safe`${renderOperation(style, facts)}\n${renderOperations(style, made)}`;
  return pageReport({ ...facts, changes: made.length > 0 ? made : undefined }, page);
}

/** JSON leaves out the undefined facts. `status`: the newest one of the incident that was posted from here. */
export function factsOf(log: OperationLog, status?: string) {
  const { change, created, events, key, name = "" } = log;
  const sent = events.findLast((event) => event.type === "sending");
  const notify = change?.kind === "update" ? change.notify : sent?.notify;
  return {
    id: key.id,
    serviceId: created?.serviceId,
    state: shownState(log),
    change: change && factsOfChange(change),
    status,
    name,
    baseUrl: key.baseUrl,
    account: key.account,
    notify,
    key: sent?.key,
    dedupKey: sent?.dedupKey,
    events: events.map((event) => {
      return { at: event.at, type: event.type, detail: describeEvent(event), origin: event.origin };
    }),
  };
}

function factsOfChange(change: Change) {
  if (change.kind === "edit") return change;
  const { incidentId, kind, status } = change;
  return { kind, incidentId, status };
}

/** The state, with `posted` or `edited` for a created update or edit. */
function stateOf({ change, state }: OperationFacts): string {
  if (state !== "created" || change === undefined) return state;
  return change.kind === "update" ? "posted" : "edited";
}

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
      const parts = [withId ? "" : "without an id", confirmed ? `confirmed as ${confirmed}` : ""];
      return parts.filter(Boolean).join("; ");
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
  }
}

function renderOperation(style: Style, operation: OperationFacts): SafeText {
  const { account = "none", baseUrl, change, events, id, serviceId } = operation;
  const facts = Object.entries({
    state: stateOf(operation),
    incident: change?.incidentId,
    id,
    service: baseUrl,
    account,
    "service id": serviceId === id ? undefined : serviceId,
  }).flatMap(([label, value]) =>
    value === undefined ? [] : safe`  ${style.color.dim(style.line(label.padEnd(11)))} ${style.line(value)}`,
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

export function renderOperations(style: Style, operations: readonly OperationFacts[]): SafeText {
  const places = operations.map(({ account, baseUrl }) => (account ? `${baseUrl}, ${account}` : baseUrl));
  const isMixed = new Set(places).size > 1;
  const rows = operations.map((operation, index) => [
    style.line(operation.id),
    colorState(style, operation),
    style.line(operation.status ?? ""),
    style.time(operation.events.at(-1)?.at ?? ""),
    style.line(titleOf(operation) + (isMixed ? ` (${places[index]})` : "")),
  ]);
  return renderTable(style, ["ID", "HERE", "LAST STATUS", "SINCE", "NAME"], rows);
}

function colorState({ color, line }: Style, operation: OperationFacts): SafeText {
  const { state } = operation;
  const word = line(stateOf(operation));
  if (state === "created") return color.green(word);
  return state === "uncertain" || state === "sending" ? color.yellow(word) : word;
}
