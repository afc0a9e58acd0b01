// The result of a run, as data and as a person sees it. A report has a part for each format that its command offers.
import type { Failure } from "../failure.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "../view/terminal/style.ts";
import type { Format } from "./formats.ts";

export type Page = (style: Style) => SafeText | Promise<SafeText>;

/** A format that the command renders itself. */
export type Rendering = () => SafeText | Promise<SafeText>;

/** The result of a command that says all it has to say on stderr, or writes a file. */
export const noPage = () => safe``;

/** The parts that formats are printed from. */
export interface Parts {
  readonly data: object;
  readonly ids: readonly string[];
  /** For a person, drawn from the same data. */
  readonly page: Page;
  readonly markdown: Rendering;
  readonly github: Rendering;
  readonly junit: Rendering;
  readonly curl: Rendering;
  readonly definition: Rendering;
}

/** The part that each format is printed from. */
export const partOf = {
  table: "page",
  text: "page",
  json: "data",
  id: "ids",
  markdown: "markdown",
  github: "github",
  junit: "junit",
  curl: "curl",
  definition: "definition",
} as const satisfies Record<Format, keyof Parts>;

type NoParts = { readonly [P in keyof Parts]?: never };

/** The end of a run, in every format. */
export interface Ending {
  /** Printed after the results; it decides the exit code. */
  readonly failure?: Failure;
  /** The exit code of a child process. */
  readonly exitCode?: number;
}

/** Pieces that are printed while the command runs, and then its end. `style` has the current width. */
export type Live = (
  style: () => Promise<Style>,
) => AsyncGenerator<SafeText, Ending & Partial<Pick<Parts, "page">>>;

interface Afterwards {
  /** Called when the results have reached stdout. */
  readonly onPrinted?: () => Promise<void>;
  /** The data has all of the failure: with `-o json` and `-o github` it is not repeated on stderr. */
  readonly failureInData?: boolean;
}

/** A report of any command, as `main` prints it. */
export type AnyReport = Ending & Afterwards & Partial<Parts> & { readonly live?: Live };

/** The report of a command that offers the formats `F`. A run that failed may have no result to print. */
export type Report<F extends Format> = Ending &
  Afterwards &
  (
    | { readonly [P in (typeof partOf)[F]]: Parts[P] }
    | ({ readonly failure: Failure } & NoParts)
    | ({ readonly live: Live } & NoParts)
  );
