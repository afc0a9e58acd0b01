// What a command is: a row of data that says how it is called, and a run that turns input into a Report. The
// types of a command's flags follow from its row.

import type { Failure } from "../failure.ts";
import type { Context, Reporter } from "../platform/context.ts";
import type { Style } from "../view/terminal/style.ts";

/** `text` is what `table` is to other commands; a command draws those after `id` itself, as a Report's views. */
export const formats = [
  "table",
  "json",
  "yaml",
  "id",
  "markdown",
  "text",
  "github",
  "sarif",
  "junit",
  "curl",
  "definition",
] as const;
export type Format = (typeof formats)[number];

/** What each kind of option takes on the command line, and what a command gets. */
interface OptionValues {
  switch: boolean;
  text: string;
  /** Repeatable. */
  list: readonly string[];
  /** Milliseconds; written with a unit, or as bare seconds. */
  duration: number;
  /** A whole number, 0 or more. */
  count: number;
}

/** Where a shell's completion finds what can be written: a list, or a place that is looked at. */
export type Completions =
  | readonly string[]
  | "files"
  | "folders"
  | "profiles"
  | "services"
  | "incidents"
  | "codes";

export interface Option {
  /** As commander and a person read it: `-f, --file <path>`. */
  readonly flags: string;
  readonly kind: keyof OptionValues;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** Beside `choices`, which are completed as well. */
  readonly completions?: Completions;
}

export interface Example {
  readonly command: string;
  readonly summary: string;
}

export interface CommandRow {
  /** One word, or two: a group of `groups` and a command in it. */
  readonly name: string;
  readonly summary: string;
  /** As a person reads it: `<id...>`, `[file...]`. */
  readonly operands?: string;
  readonly completions?: Completions;
  readonly options: Readonly<Record<string, Option>>;
  /** What `-o` takes here; the first is the default. None: the command has no result to format. */
  readonly outputs: readonly Format[];
  readonly examples: readonly Example[];
  /** More help, after the options. */
  readonly notes?: string;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** The flags that a table of options gives. A command declares `Flags<typeof options>`. */
export type Flags<T extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof T]?: OptionValues[T[K]["kind"]];
};

/** Options that every command takes. */
export const globalOptions = {
  profile: {
    flags: "--profile <name>",
    kind: "text",
    summary: "use this profile of the settings file",
    completions: "profiles",
  },
  account: {
    flags: "--account <guid>",
    kind: "text",
    summary: "act for this account; none sends no account",
  },
  noProject: {
    flags: "--no-project",
    kind: "switch",
    summary: "ignore the project's .incident.yaml",
  },
  timeout: {
    flags: "--timeout <duration>",
    kind: "duration",
    summary: "give up on one request after this long (default: 30s)",
  },
  maxRetries: {
    flags: "--max-retries <count>",
    kind: "count",
    summary: "try again at most this often where nothing can be doubled (default: 4)",
  },
  stateDir: {
    flags: "--state-dir <folder>",
    kind: "text",
    summary: "keep the journal here",
    completions: "folders",
  },
  settleFor: {
    flags: "--settle-for <duration>",
    kind: "duration",
    summary: "look this long for an incident whose create was not answered (default: 10s)",
  },
  yes: { flags: "-y, --yes", kind: "switch", summary: "take every confirmation as given" },
  noInput: { flags: "--no-input", kind: "switch", summary: "never ask anything" },
  color: { flags: "--color", kind: "switch", summary: "colour even where it is not a terminal" },
  noColor: { flags: "--no-color", kind: "switch", summary: "no colour" },
  quiet: { flags: "-q, --quiet", kind: "switch", summary: "on stderr, nothing but warnings and errors" },
  debug: {
    flags: "--debug",
    kind: "switch",
    summary: "show each request and answer on stderr, without the key",
  },
} as const satisfies Readonly<Record<string, Option>>;

export type GlobalFlags = Flags<typeof globalOptions>;

export interface Input {
  readonly operands: readonly string[];
  /** By the names of the row's options: a command reads it as `Flags<typeof its options>`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly global: GlobalFlags;
  /** How the report will be printed. */
  readonly format: Format;
}

/** What a run gets: the outside world, and what it may say of its work. */
export interface RunContext extends Context, Reporter {
  /** Shows a page on stderr, to a person who is about to be asked something. */
  show(page: Page): Promise<void>;
}

export type Run = (context: RunContext, input: Input) => Promise<Report>;

export type Page = (style: Style) => string | Promise<string>;

/** What a command has to say in the end. Nothing of it has been printed yet. */
export interface Report {
  /** The result, as `-o json` and `-o yaml` show it. */
  readonly data?: unknown;
  /** For `-o id`. */
  readonly ids?: readonly string[];
  /** The result as a person sees it, drawn from the same data. */
  readonly page?: Page;
  /** Printed while it goes on, piece by piece; it ends with the report of the end. Style has the width of now. */
  readonly live?: (style: () => Promise<Style>) => AsyncGenerator<string, Report>;
  /** The formats that the command draws itself. */
  readonly views?: Readonly<Partial<Record<Format, () => string | Promise<string>>>>;
  /** What went wrong, beside the results that there are. */
  readonly failure?: Failure;
  /** Called when the results have been printed: from now on the user knows. */
  readonly onPrinted?: () => Promise<void>;
  /** The result says all that the failure says: under -o json and github it is not said again on stderr. */
  readonly failureInData?: boolean;
  /** Only where it is neither success nor a failure of this tool: a child's own exit code. */
  readonly exitCode?: number;
}
