// A command line that the parser does not take, as habits.ts explains it.
import type { Command } from "../kit/define-command.ts";
import type { Hint } from "../text/advice.ts";

/** The parts of the command line that a failure names. */
export interface Place {
  /** Where to look, if no habit leads on. */
  readonly hint: Hint;
  readonly command?: Command;
  /** The words that are no flag, without those of the command. */
  readonly operands: readonly string[];
}

export class WrongCommandLine extends Error {
  readonly place: Place;
  readonly is: "unknown command" | "unknown option" | "missing operand" | "missing value" | "operand";
  /** The word, the flag or the operand that it is about. */
  readonly subject: string;

  constructor(place: Place, is: WrongCommandLine["is"], subject: string, message: string) {
    super(message);
    this.place = place;
    this.is = is;
    this.subject = subject;
  }
}
