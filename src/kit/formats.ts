// The values of -o, a row each: how a format draws the kinds of results that it can print. The formats of a command follow
// from the kinds of its results, see command.ts.
import { Failure } from "../failure.ts";
import {
  disarmLog,
  escapeJson,
  escapeLine,
  type SafeText,
  safe,
  safeLines,
} from "../platform/terminal/safe-text.ts";
import { cutText } from "../text/lengths.ts";
import { type Draw, type Drawing, type Kind, type Page, type ReportOf, resultsOf } from "./report.ts";

const drawPage = async ({ page = () => safe`` }: { readonly page?: Page }, { style }: Drawing) =>
  page(await style());

const drawData = ({ data }: { readonly data: object }) =>
  safe`${escapeJson(JSON.stringify(data, undefined, 2))}\n`;

/** A line for each id, which a script takes as it is. Throws a `Failure` for an id that is no visible word. */
function drawIds(report: ReportOf<"incidents" | "plan" | "list">): SafeText {
  const entries = resultsOf(report);
  const odd = entries.filter(({ id }) => !/^\S+$/.test(id) || disarmLog(escapeLine(id)) !== id);
  if (odd.length === 0) return safeLines(entries.map(({ id }) => escapeLine(id)));
  const shown = odd.map(({ id, name = "" }) => `"${cutText(id, 200)}" ${name}`.trimEnd()).join(", ");
  throw new Failure("rejected", `the service gave an id that is not one visible word: ${shown}`, {
    hint: "the incident exists; read it with -o json, and report the id to the service",
  });
}

/** Of a result that prints itself. */
const drawNothing = () => safe``;

/** The first that draws a kind is its default. A file is loaded once it draws. */
export const formats = {
  table: {
    incidents: async ({ facts, isList }, { style }) => {
      const { renderIncident, renderIncidents } = await import("../view/incident.ts");
      const [first, ...others] = facts;
      return first !== undefined && others.length === 0 && !isList
        ? renderIncident(await style(), first)
        : renderIncidents(await style(), facts);
    },
    plan: async ({ data }, { style }) => (await import("../view/plan.ts")).renderPlan(await style(), data),
    list: drawPage,
    page: drawPage,
    requests: async ({ requests }, { style }) =>
      (await import("../view/request.ts")).renderRequests(await style(), requests),
    live: drawNothing,
  },
  text: { problems: drawPage, text: ({ text }) => text },
  json: {
    incidents: drawData,
    plan: drawData,
    list: drawData,
    page: drawData,
    requests: drawData,
    problems: drawData,
    schema: drawData,
    live: drawNothing,
  },
  id: { incidents: drawIds, plan: drawIds, list: drawIds },
  markdown: {
    incidents: async ({ facts }) => (await import("./formats/markdown.ts")).renderIncidents(facts),
    plan: async ({ data }) => (await import("./formats/markdown.ts")).renderPlan(data),
  },
  github: {
    problems: async (...drawn) => (await import("./formats/github.ts")).renderProblems(...drawn),
  },
  junit: { problems: async (report) => (await import("./formats/junit.ts")).renderJunit(report) },
  curl: { requests: async ({ requests }) => (await import("./formats/curl.ts")).renderCurl(requests) },
  definition: {
    incidents: async ({ incidents }) =>
      (await import("./formats/definition.ts")).renderDefinitions(incidents),
  },
} satisfies Record<string, { readonly [K in Kind]?: Draw<K> }>;

export type Format = keyof typeof formats;

/** A format that one command alone offers. */
export const commandOf: Partial<Record<Format, string>> = { definition: "get" };
