// -o table and -o text: the page of a result, for a person.
import type { Drawing, Page, Results } from "../report.ts";

const drawPage = async ({ page }: { readonly page: Page }, { style }: Drawing) => page(await style());

export const draw = {
  incidents: async ({ facts, isList }: Results["incidents"], { style }: Drawing) => {
    const { renderIncident, renderIncidents } = await import("../../view/incident.ts");
    const [first, ...others] = facts;
    return first !== undefined && others.length === 0 && !isList
      ? renderIncident(await style(), first)
      : renderIncidents(await style(), facts);
  },
  plan: async ({ facts }: Results["plan"], { style }: Drawing) =>
    (await import("../../view/plan.ts")).renderPlan(await style(), facts),
  list: drawPage,
  page: drawPage,
  requests: drawPage,
  problems: drawPage,
  text: ({ text }: Results["text"]) => text,
};
