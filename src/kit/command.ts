// The shape of a command: its spec (a row of data), the formats that follow from it, its run (flags to a Report), and the input
// of a run, which is written out again for a person who confirms it.
import { Failure } from "../failure.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type FlagSpecs, type Flags, longNameIn } from "./flags.ts";
import { type GlobalFlags, globalFlags } from "./global-flags.ts";
import { type Format, formatsOf, type Kind, type Page, type Report } from "./report.ts";

/** Written `as const satisfies CommandSpec`, so that `Run<typeof spec>` reads its flags and results typed. */
export interface CommandSpec {
  /** The syntax is that of commander, which the help also shows: `<id...>`, `[file...]`. */
  readonly operands?: string;
  /** The values of the operand that shell completion offers. */
  readonly completions?: readonly string[];
  readonly flags?: FlagSpecs;
  /** Its formats are the values of `-o`. */
  readonly result: Kind;
  /** The kind of the results beside a flag that changes it, by the name of the flag. */
  readonly modes?: Readonly<Record<string, Kind>>;
  readonly examples: Readonly<Record<string, string>>;
  /** The end of the help: paragraphs. One that is indented stays as it is. */
  readonly notes?: string;
}

/** A spec with the name and the summary of its row: the name is one word, or a group and a command in it. */
export type NamedSpec = CommandSpec & Readonly<Record<"name" | "summary", string> & { flags: FlagSpecs }>;

export interface Input<F = Readonly<Record<string, unknown>>> {
  readonly spec: NamedSpec;
  readonly operands: readonly string[];
  readonly flags: F;
}

/** How a run prints, and the values of the flags of every command. */
export interface RunOptions {
  readonly format: Format;
  readonly global: GlobalFlags;
}

export type FlagsOf<S> = S extends { readonly flags: infer F extends FlagSpecs } ? Flags<F> : object;

/** The Context of a run, the ways to report progress, and the files and variables around it. */
export interface RunContext extends Context, Reporter, RunOptions {
  readonly workspace: Workspace;
  /** Shows a page on stderr, before a question. */
  show(page: Page): Promise<void>;
}

type ModesOf<S> = S extends { readonly modes: Readonly<Record<string, infer M extends Kind>> } ? M : never;

export type Run<S extends CommandSpec> = (
  context: RunContext,
  input: Input<FlagsOf<S>>,
) => Promise<Report<S["result"] | ModesOf<S>>>;

export interface Command<S = CommandSpec> {
  readonly spec: S;
  // A method, whose parameters TypeScript compares in both directions, because the parser types `flags` by `spec`.
  run(context: RunContext, input: Input): Promise<Report>;
}

/** The modes of a command: the name of each flag as its run reads it, its long form, and the formats beside it. */
export function modesOf({ flags, modes = {} }: Omit<NamedSpec, "result">) {
  return Object.entries(modes).map(([name, kind]) => {
    return { name, flag: longNameIn(ownValue(flags, name)?.usage ?? name), outputs: formatsOf[kind] };
  });
}

export function outputsOf(spec: NamedSpec): readonly Format[] {
  return [...new Set([...formatsOf[spec.result], ...modesOf(spec).flatMap(({ outputs }) => outputs)])];
}

/** Throws a `Failure` "usage" for a format that the command does not offer with these flags. */
export function chooseFormat(
  spec: NamedSpec,
  flags: Readonly<Record<string, unknown>>,
  output: string | undefined,
): Format {
  const mode = modesOf(spec).find(({ name }) => ownValue(flags, name) !== undefined);
  const outputs: readonly Format[] = mode?.outputs ?? formatsOf[spec.result];
  const chosen = output === undefined ? outputs[0] : outputs.find((each) => each === output);
  if (chosen !== undefined) return chosen;
  const words = mode === undefined ? spec.name : `${spec.name} ${mode.flag}`;
  const hint = `use -o with one of: ${outputs.join(", ")}`;
  throw new Failure("usage", `incident ${words} cannot print "${output}"`, {
    hint: withSuggestion(hint, nearest(output === "yaml" ? "definition" : (output ?? ""), outputs)),
  });
}

export function writeCommandLine(
  { format, global }: RunOptions,
  { flags, operands, spec }: Input,
): readonly string[] {
  const [fallback, ...others]: readonly Format[] = formatsOf[spec.result];
  return [
    "incident",
    ...spec.name.split(" "),
    ...wordsOf(spec.flags, flags),
    ...wordsOf(globalFlags, global),
    ...(format !== fallback && others.includes(format) ? ["--output", format] : []),
    ...(operands.some((operand) => operand.startsWith("-")) ? ["--"] : []),
    ...operands,
  ];
}

function wordsOf(specs: FlagSpecs, values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(specs).flatMap(([name, { kind, usage }]) => {
    const value = ownValue(values, name);
    if (value === undefined || value === false) return [];
    const flag = longNameIn(usage);
    if (kind === "switch") return [flag];
    const words =
      kind === "list"
        ? (value as readonly string[])
        : [kind === "duration" ? `${Number(value) / 1000}s` : String(value)];
    return words.flatMap((word) => [flag, word]);
  });
}
