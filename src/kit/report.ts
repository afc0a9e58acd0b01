// The result of a run: a function for each value of -o, which draws the output, and the exit code or failure of the run.
import { Failure } from "../failure.ts";
import type { Incident, IncidentFacts } from "../incident/wire.ts";
import {
  disarmLog,
  escapeJson,
  escapeLine,
  type SafePart,
  type SafeText,
  safe,
  safeLines,
} from "../platform/terminal/safe-text.ts";
import { cutText } from "../text/lengths.ts";
import type { Style } from "../view/terminal/style.ts";

/** The values of -o for each kind of results, the default first. */
export const formatsOf = {
  incidents: ["table", "json", "id", "markdown"],
  definitions: ["table", "json", "id", "markdown", "definition"],
  list: ["table", "json", "id"],
  page: ["table", "json"],
  requests: ["table", "json", "curl"],
  problems: ["text", "json", "github", "junit"],
  schema: ["json"],
  text: ["text"],
} as const;

export type Kind = keyof typeof formatsOf;

export type Format<K extends Kind = Kind> = (typeof formatsOf)[K][number];

/** Its modules load when it draws. */
export type Draw = (style: () => Promise<Style>) => SafeText | Promise<SafeText>;

export type Page = (style: Style) => SafeText | Promise<SafeText>;

interface Named {
  readonly id: string;
  readonly name?: string | undefined;
}

export interface Printed<K extends Kind> {
  readonly prints: { readonly [F in Format<K>]: Draw };
  /** The ids of the results: for `-o id`, and for the failure where they cannot be printed. */
  readonly ids?: readonly Named[] | undefined;
}

/** The end of a run, in every format. */
export interface Conclusion {
  /** Printed after the results; it decides the exit code. */
  readonly failure?: Failure | undefined;
  /** The exit code of a child process. */
  readonly exitCode?: number;
  /** Called when the results have reached stdout. */
  readonly onPrinted?: () => Promise<void>;
  /** The data has all of the failure: with `-o json` and `-o github` it is not repeated on stderr. */
  readonly failureInData?: boolean;
}

/** Pieces that are printed while the command runs, and then its end. */
export type Live = () => AsyncGenerator<SafeText, Conclusion>;

export type Report<K extends Kind = Kind> = Conclusion &
  ({ [P in K]: Printed<P> & { readonly live?: never } }[K] | { readonly live: Live });

export const drawData =
  (data: object): Draw =>
  () =>
    safe`${escapeJson(JSON.stringify(data, undefined, 2))}\n`;

/** Without a page, the command says all on stderr, or writes a file. */
export function pageReport(data: object, page: Page = () => safe``): Printed<"page"> {
  return { prints: { table: async (style) => page(await style()), json: drawData(data) } };
}

export function lineReport(data: object, line: string) {
  return pageReport(data, (style) => safe`${style.line(line)}\n`);
}

export function listReport(data: object, ids: readonly Named[], page?: Page): Printed<"list"> {
  return { prints: { ...pageReport(data, page).prints, id: () => drawIds(ids) }, ids };
}

/** `facts`: for people, with links, which the JSON lacks. `isList`: a single incident is a row of a table, not a page. */
export function incidentsReport(
  data: object,
  incidents: readonly Incident[],
  facts: readonly IncidentFacts[],
  { isList = false } = {},
): Printed<"definitions"> {
  const { ids, prints } = listReport(data, facts, async (style) => {
    const { renderIncident, renderIncidents } = await import("../view/incident.ts");
    const [first, ...others] = facts;
    const isOne = others.length === 0 && !isList;
    return first !== undefined && isOne ? renderIncident(style, first) : renderIncidents(style, facts);
  });
  return {
    ids,
    prints: {
      ...prints,
      markdown: async () => (await import("./formats/markdown.ts")).renderIncidents(facts),
      definition: async () => (await import("./formats/definition.ts")).renderDefinitions(incidents),
    },
  };
}

/** A line for each id, which a script takes as it is. Throws a `Failure` for an id that is no visible word. */
function drawIds(entries: readonly Named[]): SafeText {
  const odd = entries.filter(({ id }) => !/^\S+$/.test(id) || disarmLog(escapeLine(id)) !== id);
  if (odd.length === 0) return safeLines(entries.map(({ id }) => escapeLine(id)));
  const shown = odd.map(({ id, name = "" }) => `"${cutText(id, 200)}" ${name}`.trimEnd()).join(", ");
  throw new Failure("rejected", `the service gave an id that is not one visible word: ${shown}`, {
    hint: "the incident exists; read it with -o json, and report the id to the service",
  });
}

export function tablePage<const H extends string>(
  headings: readonly SafePart<H>[],
  rows: readonly (readonly string[])[],
): Page {
  return async (style) => {
    const { renderTable } = await import("../view/terminal/table.ts");
    const cells = rows.map((row) => row.map((cell) => style.line(cell)));
    return renderTable(style, headings, cells);
  };
}
