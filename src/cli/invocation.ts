// The result of parsing argv: a command to run, or a text to print.
import type { Command, CommandSpec, Input } from "../commands/define-command.ts";

export type Invocation = RunInvocation | TextInvocation;

export interface RunInvocation {
  readonly kind: "run";
  readonly command: Command;
  readonly input: Input;
}

export type TextInvocation =
  | { readonly kind: "version" }
  | { readonly kind: "overview" }
  | { readonly kind: "reference" }
  /** `name` may be unknown. */
  | { readonly kind: "topic"; readonly name: string }
  /** `words` are those of the command line to complete; the last one ends at the cursor. */
  | { readonly kind: "completions"; readonly words: readonly string[] }
  /** The help of a command, or, without `spec`, of a group. `usage` is the part that the parser renders. */
  | { readonly kind: "help"; readonly usage: string; readonly spec?: CommandSpec };
