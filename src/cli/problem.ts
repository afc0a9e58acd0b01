// A command line that the parser does not take, as habits.ts explains it.
import type { Command } from "../kit/define-command.ts";
import type { Hint } from "../text/advice.ts";

/** A command line that the parser does not take. */
export interface Problem {
  readonly is: "unknown command" | "unknown option" | "missing operand" | "missing value" | "operand";
  /** The word, the flag or the operand that it is about. */
  readonly subject: string;
  readonly message: string;
  readonly hint: Hint;
  readonly command?: Command | undefined;
  /** The words that are no flag, without those of the command. */
  readonly operands: readonly string[];
}

export class WrongCommandLine extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
