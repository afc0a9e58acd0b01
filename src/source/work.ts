// The budget of work of a run: everyone who can open a pull request can change the files that a run checks, and the policy,
// the contract and the templates that it checks them against.
import { cancellation, Failure, type TimeLimit } from "../failure.ts";
import type { CompilePattern } from "../rules/patterns.ts";

/** Steps of all checks of a run. A step takes up to 0.1 microseconds. */
const mostSteps = 100_000_000;

/** Steps between two looks at the clock. */
const clockInterval = 1_000_000;

/** Steps to compile a state of a pattern. */
const stepsOfState = 1000;

/** Counts steps before they are taken, and looks at the clock for none. Throws `OverBudget`, or the `Failure` of a deadline that is over. */
export type Spend = (steps: number) => void;

/** In a file of the project, an error of the settings; in a file that is checked, a diagnostic of it. */
export class OverBudget extends Failure {
  constructor() {
    super("usage", "the checks of this run take more work than a run may take", {
      hint: "shorten the texts, the patterns or the lists of words, or check fewer files in a run; nothing was sent",
    });
  }
}

/** `overdue` gives the time limit of the run once it is over. */
export function createBudget(overdue: () => TimeLimit | undefined = () => undefined): Spend {
  let left = mostSteps;
  let nextLook = left;
  return (steps) => {
    // A refused file is not counted: other files are still checked.
    if (steps > left) throw new OverBudget();
    left -= steps;
    if (steps > 0 && left > nextLook) return;
    nextLook = left - clockInterval;
    const limit = overdue();
    if (limit !== undefined)
      throw cancellation(AbortSignal.abort(limit), `nothing was sent; give it longer with ${limit.flag}`);
  };
}

/** Counts the states of a pattern when it is compiled, and for each character of a text. */
export function withBudget(compilePattern: CompilePattern, spend: Spend): CompilePattern {
  return (pattern) => {
    const matches = compilePattern(pattern);
    if (matches === undefined) return undefined;
    const { size = 1 } = matches;
    spend(size * stepsOfState);
    return (text) => {
      spend(size * text.length);
      return matches(text);
    };
  };
}
