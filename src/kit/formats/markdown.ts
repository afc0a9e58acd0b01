// -o markdown: for a chat, a post-mortem, or the page of a pipeline.
import { renderMarkdown } from "../../view/reports/markdown.ts";
import { renderSummary } from "../../view/reports/summary.ts";
import type { Results } from "../report.ts";

export const draw = {
  incidents: ({ facts }: Results["incidents"]) => renderMarkdown(facts),
  plan: ({ facts }: Results["plan"]) => renderSummary(facts),
};
