// The result of a run: one of a closed union of kinds. Each format of formats.ts draws the kinds that it lists.
import type { Diagnostic } from "../diagnostic.ts";
import type { Failure } from "../failure.ts";
import type { Incident, IncidentFacts } from "../incident/wire.ts";
import type { System } from "../platform/context.ts";
import { type SafePart, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { PlanFacts } from "../view/plan.ts";
import type { ShownRequest } from "../view/request.ts";
import type { Style } from "../view/terminal/style.ts";

export type Page = (style: Style) => SafeText | Promise<SafeText>;

/** A result that a person reads as one line. */
export function lineReport(data: object, line: string) {
  return { is: "page", data, page: (style: Style) => safe`${style.line(line)}\n` } as const;
}

/** Cells of plain text below their headings. */
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

interface Drawn {
  /** It is printed as JSON. */
  readonly data: object;
  /** For a person, drawn from the same data; left out by a command that says all on stderr, or writes a file. */
  readonly page?: Page;
}

export interface Results {
  readonly incidents: {
    readonly data: object;
    readonly incidents: readonly Incident[];
    /** For people, with the links; the JSON of the service stays as it is. */
    readonly facts: readonly IncidentFacts[];
    /** A single incident is a row of a table, and not a page. */
    readonly isList?: boolean;
  };
  readonly plan: { readonly data: PlanFacts };
  readonly list: Drawn & { readonly ids: readonly string[] };
  readonly page: Drawn;
  readonly problems: Drawn & {
    readonly files: readonly string[];
    readonly diagnostics: readonly Diagnostic[];
    readonly warnings: readonly Diagnostic[];
  };
  readonly requests: { readonly data: object; readonly requests: readonly ShownRequest[] };
  readonly text: { readonly text: SafeText };
  readonly schema: { readonly data: object };
  readonly live: { readonly live: Live };
}

export type Kind = keyof Results;

export interface Drawing {
  readonly system: Pick<System, "cwd" | "env">;
  style(): Promise<Style>;
}

export type ReportOf<K extends Kind> = { [P in K]: { readonly is: P } & Results[P] }[K];

export type Draw<K extends Kind> = (result: ReportOf<K>, drawing: Drawing) => SafeText | Promise<SafeText>;

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

/** The report of a command with results of the kinds `K`. A run that failed may have no result to print. */
export type Report<K extends Kind = Kind> = Conclusion &
  (ReportOf<K> | { readonly is?: never; readonly failure: Failure });

/** The incidents or other entries of a result: a script reads their ids, and a failure tells them. */
export function resultsOf(
  report: Report,
): readonly { readonly id: string; readonly name?: string | undefined }[] {
  switch (report.is) {
    case "incidents":
      return report.facts;
    case "plan":
      return report.data.results.flatMap(({ action, id, name, posted, result = "", serviceId = id }) =>
        // A create that was refused, or not tried, has no incident.
        action === "create" && posted === undefined && ["failed", "not-tried"].includes(result)
          ? []
          : [{ id: serviceId, name }],
      );
    case "list":
      return report.ids.map((id) => ({ id }));
    default:
      return [];
  }
}
