// Parses the command lines that need no parser: loading the parser takes longer than answering them. Also guesses how
// to print a failure that occurs before argv is parsed.

import type { Failure } from "../failure.ts";
import type { Command, CommandSpec, Input } from "../kit/define-command.ts";
import { topics } from "./help/topic-names.ts";
import type { PrintOptions } from "./output-style.ts";

/** The answer without the parser. It agrees with the parser, which does not know the internal `completion --words`. */
export function parseFastPath(argv: readonly string[]): TextInvocation | undefined {
  const [first, second, third] = argv;
  if (first === "completion" && second === "--words" && third === "--")
    return { kind: "completions", words: argv.slice(3) };
  if (argv.length === 1 && first === "--version") return { kind: "version" };
  if (argv.length === 1 && first === "--help") return { kind: "overview" };
  const topic = topics.find((name) => name === second);
  if (argv.length === 2 && first === "help" && topic !== undefined) return { kind: "topic", name: topic };
  return undefined;
}

/** The guess at how to print a failure, which holds until argv is parsed. */
export function guessPrintOptions(argv: readonly string[]): PrintOptions {
  const isJson = argv.some(
    (argument, index) =>
      argument === "-ojson" ||
      argument === "--output=json" ||
      (argument === "json" && (argv[index - 1] === "-o" || argv[index - 1] === "--output")),
  );
  return { format: isJson ? "json" : "table", global: { debug: argv.includes("--debug") } };
}

export type Invocation = RunInvocation | TextInvocation | WrongCommandLine;

/** A command line that the parser does not take. */
export interface WrongCommandLine {
  readonly kind: "wrong";
  readonly problem:
    | "unknown-command"
    | "unknown-option"
    | "missing-argument"
    | "missing-value"
    | "too-many-arguments"
    | "exclusive-flags"
    | "other";
  /** The command, option or argument that it is about, as the parser quotes it. */
  readonly subject: string;
  readonly failure: Failure;
}

export interface RunInvocation {
  readonly kind: "run";
  readonly command: Command;
  readonly input: Input;
}

export type TextInvocation =
  | { readonly kind: "version" }
  | { readonly kind: "overview" }
  /** `name` may be unknown. */
  | { readonly kind: "topic"; readonly name: string }
  /** `words` are those of the command line to complete; the last one ends at the cursor. */
  | { readonly kind: "completions"; readonly words: readonly string[] }
  /** The help of a command, or, without `spec`, of a group. `usage` is the part that the parser renders. */
  | { readonly kind: "help"; readonly usage: string; readonly spec?: CommandSpec };
