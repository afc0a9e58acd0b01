// Renders the result of an apply as Markdown, for the page of a pipeline. Escapes names from files and from the
// service, so that they cannot break out of their cells.

import { assumeSafe, joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { describeChanges, describeDifference, type PlanFacts, summarize } from "../plan.ts";
import { escapeLine } from "../terminal/escape.ts";

export function renderSummary(facts: PlanFacts): SafeText {
  const rows = facts.results.map((entry) => {
    const { action, differences = [], error, id, link, name, result, serviceId } = entry;
    const told = [
      ...describeChanges(entry),
      ...(error ? [error.message] : differences.map(describeDifference)),
    ];
    const detail = told.join("; ");
    const shownId = cell(serviceId ?? id);
    const linked = link === undefined ? shownId : safe`<a href="${cell(link)}">${shownId}</a>`;
    return safe`| ${joinSafe([cell(name), cell(result ?? action), linked, cell(detail)], " | ")} |`;
  });
  return joinSafe([
    safe`### Incidents`,
    safe``,
    summarize(facts),
    safe``,
    safe`| incident | result | id | |`,
    safe`| --- | --- | --- | --- |`,
    ...rows,
    ...(facts.dryRun ? facts.results.flatMap(quoteTexts) : []),
    safe``,
    safe``,
  ]);
}

/** The texts that customers would read: a plan is for a reviewer. */
function quoteTexts({ body, changes, name }: PlanFacts["results"][number]): readonly SafeText[] {
  const updates = body?.incidentUpdates ?? changes?.updates ?? [];
  return updates.flatMap(({ description, notifySubscribers, status }) => {
    const head = [name, ...(status ? [status] : []), ...(notifySubscribers ? ["notifies"] : [])].join(", ");
    const lines = description.split(/\r?\n/).map((line) => safe`> ${cell(line)}`);
    return [safe``, safe`${cell(head)}:`, safe``, ...lines];
  });
}

/** Escapes every character with a meaning in Markdown or HTML as an entity. */
function cell(text: string): SafeText {
  const escaped = escapeLine(text).replace(
    /[^\p{L}\p{N}\p{M} .,:;()-]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return assumeSafe(escaped);
}
