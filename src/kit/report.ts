// The result of a run, as data and as a person sees it.
import type { Failure } from "../failure.ts";
import type { SafeText } from "../platform/terminal/safe-text.ts";
import type { Style } from "../view/terminal/style.ts";
import type { Format } from "./formats.ts";

export type Page = (style: Style) => SafeText | Promise<SafeText>;

/** The result of a run. `main` prints it. */
export interface Report {
  /** For `-o json` and `-o yaml`. */
  readonly data?: unknown;
  /** For `-o id`. */
  readonly ids?: readonly string[];
  /** For a person, drawn from the same data. */
  readonly page?: Page;
  /** Yields pieces to print while the command runs, and returns the final report. `style` has the current width. */
  readonly live?: (style: () => Promise<Style>) => AsyncGenerator<SafeText, Report>;
  /** For the formats that the command renders itself. */
  readonly views?: Readonly<Partial<Record<Format, () => SafeText | Promise<SafeText>>>>;
  /** Printed after the results; it decides the exit code. */
  readonly failure?: Failure;
  /** Called when the results have reached stdout. */
  readonly onPrinted?: () => Promise<void>;
  /** The data has all of the failure: with `-o json` and `-o github` it is not repeated on stderr. */
  readonly failureInData?: boolean;
  /** The exit code of a child process. */
  readonly exitCode?: number;
}
