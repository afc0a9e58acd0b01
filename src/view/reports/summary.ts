// Renders the result of an apply as Markdown, for the page of a pipeline. Escapes names from files and from the
// service, so that they cannot break out of their cells.

import { describeDifference, type PlanFacts, summarize } from "../plan.ts";
import { escapeLine } from "../terminal/escape.ts";

export function renderSummary(facts: PlanFacts): string {
  const rows = facts.results.map(({ action, differences, error, id, name, result, serviceId }) => {
    const detail = error?.message ?? differences?.map(describeDifference).join("; ") ?? "";
    return `| ${[name, result ?? action, serviceId ?? id, detail].map(cell).join(" | ")} |`;
  });
  return [
    "### Incidents",
    "",
    summarize(facts),
    "",
    "| incident | result | id | |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "",
  ].join("\n");
}

/** Escapes every character with a meaning in Markdown or HTML as an entity. */
function cell(text: string): string {
  return escapeLine(text).replace(
    /[^\p{L}\p{N}\p{M} .,:;()-]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
}
