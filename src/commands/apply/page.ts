// Draws a plan or its results: a line for each definition with its differences, and a summary with the counts.
import type { Action, Result } from "../../delivery/apply.ts";
import { type Difference, excerptsOf } from "../../incident/comparison.ts";
import { type UpdateFacts, updateFacts } from "../../incident/wire.ts";
import { address, inline } from "../../kit/formats/markdown.ts";
import { escapeLine, joinSafe, type SafeText, safe, spaces } from "../../platform/terminal/safe-text.ts";
import { countOf } from "../../text/lengths.ts";
import { entriesOf, ownValue } from "../../untrusted-data.ts";
import type { Style } from "../../view/terminal/style.ts";
import type { PlanFacts } from "./plan.ts";

type PlanEntry = PlanFacts["results"][number];

type PlanMark = readonly [
  symbol: "+" | "=" | "~" | "-" | "?" | "!" | ".",
  color: "green" | "yellow" | "red" | "dim",
  /** The word in the summary, if it differs from that of the lines. */
  phrase?: string,
];

const marks: Readonly<Record<Action | Result, PlanMark>> = {
  create: ["+", "green", "to create"],
  created: ["+", "green"],
  change: ["~", "yellow", "to change"],
  changed: ["~", "green"],
  unchanged: ["=", "dim"],
  resolved: ["=", "dim", "resolved at the service"],
  drifted: ["!", "yellow"],
  gone: ["-", "yellow"],
  unsettled: ["?", "yellow"],
  uncertain: ["?", "red"],
  failed: ["!", "red"],
  "not-tried": [".", "dim", "not tried"],
  "not-read": [".", "dim", "not read"],
};

export function renderPlan(style: Style, facts: PlanFacts): SafeText {
  const lines = facts.results.flatMap((entry) => {
    const word = entry.result ?? entry.action;
    const [symbol, color] = marks[word];
    const head = safe`${style.color[color](safe`${symbol} ${style.pad(style.line(word), 9)}`)} ${style.line(entry.id)}  ${style.line(entry.name)}`;
    const { differences = [], link } = entry;
    const details = [...describeEntry(entry), ...(differences.length > 0 && link ? [link] : [])];
    return [
      head,
      ...details.map((text) => safe`${indent}${style.line(text)}`),
      ...describeTexts(style, entry),
    ];
  });
  const account = facts.accountId === "none" ? "without an account" : `account ${facts.accountId}`;
  const place = style.line(`at ${facts.baseUrl}, ${account}`);
  return safe`${joinSafe([...lines, safe``, place, summarize(facts)])}\n`;
}

const indent = spaces(14);

/** A sentence for each change, difference and failure. */
function describeEntry(entry: PlanEntry): string[] {
  const { action, differences = [], error, result } = entry;
  const isGone = (result ?? action) === "gone";
  const gone = "the service had it, and no longer has it; --recreate declares it again";
  return [
    ...describeChanges(entry),
    ...(isGone ? [gone] : differences.map(describeDifference)),
    ...(error === undefined ? [] : [error.message]),
  ];
}

/** `2 updates to post, severity MAJOR → CRITICAL`, or the changes that were made. */
function describeChanges({ edits = [], posted = 0, requests = [], result }: PlanEntry): string[] {
  const isPlan = result === undefined;
  const count = isPlan ? requests.filter(({ body }) => body.description !== undefined).length : posted;
  const parts = [
    ...(count > 0 ? [`${countOf(count, "update")} ${isPlan ? "to post" : "posted"}`] : []),
    ...edits.map(({ field, found = "none", wanted }) => `${field} ${found} → ${wanted}`),
  ];
  return parts.length === 0 ? [] : [parts.join(", ")];
}

/** `severity: live "MAJOR", file "MINOR"`. */
function describeDifference(difference: Difference): string {
  const [wanted = "none", found = "none"] = excerptsOf(difference);
  return `${difference.field}: live ${found}, file ${wanted}`;
}

/** The updates that customers would read. */
function updatesIn({ requests = [] }: PlanEntry): readonly UpdateFacts[] {
  const bodies = requests.map(({ body }) => body);
  return bodies.flatMap(({ description, incidentUpdates, ...rest }) =>
    (description === undefined ? entriesOf(incidentUpdates) : [{ description, ...rest }]).map(updateFacts),
  );
}

function describeTexts(style: Style, entry: PlanEntry): SafeText[] {
  const created = entry.requests?.find(({ body }) => body.incidentUpdates !== undefined)?.body.severity;
  return [
    ...(created === undefined ? [] : [safe`${indent}${style.line(String(created))}`]),
    ...updatesIn(entry).map(({ description = "", status }) =>
      style.block(status === undefined ? description : `${status}: ${description}`, indent.length),
    ),
  ];
}

/** The counts, such as `2 created, 1 unchanged`, the most important first. */
function summarize({ results, summary }: PlanFacts): SafeText {
  const counts = Object.entries(marks).flatMap(([word, [, , phrase = word]]) => {
    const count = ownValue(summary, word) ?? 0;
    return count === 0 ? [] : [`${count} ${phrase}`];
  });
  return escapeLine(`${countOf(results.length, "definition")}: ${counts.join(", ")}`);
}

/** For the summary of a pipeline or the comment of a pull request. */
export function renderMarkdown(facts: PlanFacts): SafeText {
  const rows = facts.results.map((entry) => {
    const { action, id, link, name, result, serviceId } = entry;
    const detail = describeEntry(entry).join("; ");
    const shownId = inline(serviceId ?? id);
    const linked = link === undefined ? shownId : safe`[${shownId}](${address(link)})`;
    return safe`| ${joinSafe([inline(name), inline(result ?? action), linked, inline(detail)], " | ")} |`;
  });
  return joinSafe([
    safe`### Incidents`,
    safe``,
    summarize(facts),
    safe``,
    safe`| incident | result | id | |`,
    safe`| --- | --- | --- | --- |`,
    ...rows,
    ...facts.results.flatMap(quoteTexts),
    safe``,
    safe``,
  ]);
}

/** Quotes the texts of the updates for a reviewer. */
function quoteTexts(entry: PlanEntry): readonly SafeText[] {
  return updatesIn(entry).flatMap(({ description = "", notified, status }) => {
    const head = [entry.name, ...(status ? [status] : []), ...(notified ? ["notifies"] : [])].join(", ");
    const lines = description.split(/\r?\n/).map((line) => safe`> ${inline(line)}`);
    return [safe``, safe`${inline(head)}:`, safe``, ...lines];
  });
}
