// What is wrong in a text, before it is known which lines and columns that is. It hides how many of a file's
// problems are worth telling, so that a broken file never floods a terminal or a log.
import type { Diagnostic, DiagnosticCode } from "../diagnostic.ts";
import type { Places } from "./positions.ts";

/** What is wrong, and what to write instead. */
export interface Wording {
  readonly message: string;
  readonly hint: string;
}

export interface Problem {
  readonly code: DiagnosticCode;
  /** Offsets into the text, `to` just past the last. */
  readonly from: number;
  readonly to: number;
  readonly explain: () => Wording;
}

const mostTold = 20;

/** The problems as diagnostics, in the order of the text: one for a broken line, and at most twenty. */
export function diagnose(problems: readonly Problem[], text: string, places: Places): Diagnostic[] {
  const sorted = onePerBrokenLine(
    [...problems].sort((a, b) => a.from - b.from),
    text,
  );
  const end = text.trimEnd().length;
  const diagnostics = sorted.slice(0, mostTold).map((problem): Diagnostic => {
    const from = Math.min(problem.from, end);
    const location = places(from, Math.min(problem.to, end));
    return { code: problem.code, level: "error", ...problem.explain(), location };
  });
  const next = sorted[mostTold];
  if (next !== undefined) {
    const location = places(next.from, next.to);
    diagnostics.push({ code: next.code, level: "error", ...untold(sorted.length - mostTold), location });
  }
  return diagnostics;
}

/** What is said where `count` further problems are not. */
export function untold(count: number): Wording {
  const problems = count === 1 ? "1 more problem" : `${count} more problems`;
  return { message: `${problems} in this file not shown`, hint: "mend the ones above, then check again" };
}

/** A slip in the syntax makes the parser stumble several times: the first on each line is the one to tell. */
function onePerBrokenLine(sorted: readonly Problem[], text: string): Problem[] {
  let last: number | undefined;
  return sorted.filter((problem) => {
    if (problem.code !== "yaml-syntax") return true;
    const isNewLine = last === undefined || text.slice(last, problem.from).includes("\n");
    last = problem.from;
    return isNewLine;
  });
}
