// The diagnostics of a file as a list: sorted, without duplicates, and bounded, so that a broken file never floods a
// terminal or a log.
import { type Diagnostic, errorAt } from "../diagnostic.ts";

/** The most diagnostics of a file. Each part of a check stops soon after it has as many. */
export const maxDiagnostics = 100;

export function limited(sorted: readonly Diagnostic[], most = maxDiagnostics): readonly Diagnostic[] {
  const next = sorted[most];
  if (next === undefined) return sorted;
  const message = "more problems in this file are not shown";
  const hint = "correct the ones above, then check again";
  return [...sorted.slice(0, most), errorAt(next.code, { message, hint }, next.location)];
}

/** Without the diagnostics that an alias repeats. */
export function withoutDuplicates(sorted: readonly Diagnostic[]): Diagnostic[] {
  const keyOf = ({ code, location, message }: Diagnostic) => JSON.stringify([code, location.start, message]);
  return [...new Map(sorted.map((each) => [keyOf(each), each])).values()];
}

export function byPosition(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.location.start, b.location.start];
  return one.line - other.line || one.column - other.column;
}
