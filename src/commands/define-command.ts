// The shape of a command: its spec (a row of data, typed by `defineCommand`), its run (flags to a Report), and
// the input and the result of a run.
import type { Failure } from "../failure.ts";
import type { Context, Reporter } from "../platform/context.ts";
import type { SafeText } from "../platform/terminal/safe-text.ts";
import type { Style } from "../view/terminal/style.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Format } from "./formats.ts";

/** The parsed value of each kind of flag. */
interface FlagValues {
  switch: boolean;
  text: string;
  list: readonly string[];
  /** Milliseconds. The command line takes a unit; a bare number is seconds. */
  duration: number;
  /** A whole number, 0 or more. */
  count: number;
}

/** The source of the values that shell completion offers: a list, or a place to look them up. */
export type Completions =
  | readonly string[]
  | "files"
  | "folders"
  | "profiles"
  | "services"
  | "templates"
  | "variables"
  | "incidents"
  | "codes";

export interface FlagSpec {
  /** The syntax is that of commander, which the help also shows: `-f, --file <path>`. */
  readonly usage: string;
  readonly kind: keyof FlagValues;
  readonly summary: string;
  /** The heading of the flag in the help; "Options" without one. */
  readonly group?: string;
  /** The only values that the flag takes; completion offers them. */
  readonly choices?: readonly string[];
  /** Values to offer where the flag also takes others. */
  readonly completions?: Completions | undefined;
}

/** The flags of a command, by the names that its run reads them by. */
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

/** The parsed flags of a table of flags. */
export type Flags<F extends FlagSpecs> = { readonly [K in keyof F]?: FlagValues[F[K]["kind"]] };

export interface CommandSpec<F extends FlagSpecs = FlagSpecs> {
  /** One word, or a group and a command in it. */
  readonly name: string;
  readonly summary: string;
  /** The command that the name of its group alone runs. */
  readonly isDefault?: boolean;
  /** The syntax is that of commander, which the help also shows: `<id...>`, `[file...]`. */
  readonly operands?: string;
  readonly completions?: Completions;
  readonly flags: F;
  /** The values of `-o`, the default first; empty for a command without a result to format. */
  readonly outputs: readonly Format[];
  /** The meaning of each command line. */
  readonly examples: Readonly<Record<string, string>>;
  /** The end of the help. A function loads a text that other commands do not need. */
  readonly notes?: string | (() => Promise<string>);
}

/** Checks a spec and keeps the exact types of its flags, so that `Run<typeof spec>` reads them typed. */
export function defineCommand<const F extends FlagSpecs>(spec: CommandSpec<F>): CommandSpec<F> {
  return spec;
}

/** The flags under one heading of the help. */
export function inGroup<const F extends FlagSpecs>(group: string, flags: F): F {
  const grouped = Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }]);
  return Object.fromEntries(grouped) as F;
}

/** `-f, --file <path>` has the names `-f` and `--file`. */
export function namesIn(usage: string): readonly string[] {
  return usage.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

const takes =
  <const K extends FlagSpec["kind"]>(kind: K) =>
  (usage: string, summary: string, completions?: Completions) => ({ usage, kind, summary, completions });

/** Makes the spec of a flag from its usage, its summary, and the values that completion offers. */
export const flag = {
  switch: takes("switch"),
  text: takes("text"),
  list: takes("list"),
  duration: takes("duration"),
  count: takes("count"),
  /** One of `choices`, and nothing else. */
  choice: (usage: string, summary: string, choices: readonly string[]) =>
    ({ usage, kind: "text", summary, choices }) as const,
};

export const globalFlags = {
  profile: flag.text("--profile <name>", "use this profile of the settings file", "profiles"),
  account: flag.text("--account <guid>", "use this account; none sends no account header"),
  noProject: flag.switch("--no-project", "ignore the project's .incident.yaml"),
  timeout: flag.duration("--timeout <duration>", "time limit of one request (default: 30s)"),
  deadline: flag.duration(
    "--deadline <duration>",
    "time limit of the whole command; exit 7, 8 or 10 when it expires",
  ),
  maxRetries: flag.count(
    "--max-retries <count>",
    "retry at most this often, and only where it is safe (default: 4; apply: 8)",
  ),
  rate: flag.text(
    "--rate <requests/time>",
    "send at most this many requests in this time (default: 600/60s, the service's limit)",
  ),
  stateDir: flag.text("--state-dir <folder>", "keep the journal here", "folders"),
  settleFor: flag.duration(
    "--settle-for <duration>",
    "how long to look for an incident whose create got no answer (default: 10s)",
  ),
  yes: flag.switch("-y, --yes", "answer every confirmation with yes"),
  noInput: flag.switch("--no-input", "never ask anything"),
  color: flag.switch("--color", "use colour even if the output is not a terminal"),
  noColor: flag.switch("--no-color", "use no colour"),
  quiet: flag.switch("-q, --quiet", "show only warnings and errors on stderr"),
  debug: flag.switch("--debug", "show each request and answer on stderr, without the key"),
} as const satisfies FlagSpecs;

export type GlobalFlags = Flags<typeof globalFlags>;

export interface Input<F = Readonly<Record<string, unknown>>> {
  readonly operands: readonly string[];
  readonly flags: F;
  readonly global: GlobalFlags;
  readonly format: Format;
}

/** The parsed flags of a command: `FlagsOf<typeof spec>`. */
export type FlagsOf<S extends CommandSpec> = Flags<S["flags"]>;

/** The Context of a run, the ways to report progress, and what stands in the files and variables around it. */
export interface RunContext extends Context, Reporter {
  readonly workspace: Workspace;
  /** Shows a page on stderr, before a question. */
  show(page: Page): Promise<void>;
}

/** The code of a command: `export const run: Run<typeof spec>`. */
export type Run<S extends CommandSpec = CommandSpec> = (
  context: RunContext,
  input: Input<FlagsOf<S>>,
) => Promise<Report>;

/** A command as the registry holds it; `load` imports its code. */
export interface Command {
  readonly spec: CommandSpec;
  readonly load: () => Promise<{
    // A method, whose parameters TypeScript compares in both directions, because the parser types `flags` by `spec`.
    run(context: RunContext, input: Input): Promise<Report>;
  }>;
}

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
