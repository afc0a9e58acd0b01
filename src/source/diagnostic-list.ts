// The diagnostics of a file as a list: sorted, without duplicates, and bounded.

import type { Diagnostic } from "../diagnostic.ts";
import { shellWord } from "../text/advice.ts";
import { omittedMessage } from "./text-errors.ts";

/** The most diagnostics of a value or of a file. The limit keeps a hostile file from filling the memory. */
export const maxDiagnostics = 100;

/** The first diagnostics, and the number of the others. */
export function limited(sorted: readonly Diagnostic[], omitted: number): readonly Diagnostic[] {
  const reported = sorted.slice(0, maxDiagnostics);
  const last = reported.at(-1);
  const count = sorted.length - reported.length + omitted;
  return last === undefined || count === 0 ? reported : [...reported, { ...last, ...omittedMessage(count) }];
}

/** Drops the duplicates of an error in an aliased value: each use reports it, at the same location. */
export function withoutDuplicates(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  return sorted.filter((diagnostic, index) => {
    const before = sorted[index - 1];
    return (
      before === undefined ||
      before.message !== diagnostic.message ||
      before.code !== diagnostic.code ||
      byPosition(before, diagnostic) !== 0
    );
  });
}

export function byPosition(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.location.start, b.location.start];
  return one.line - other.line || one.column - other.column;
}

/** Where --fix writes the correction, the hint says so. */
export function withCommand(diagnostic: Diagnostic): Diagnostic {
  const { correction, hint, location } = diagnostic;
  if (correction === undefined || location.file.startsWith("<")) return diagnostic;
  const end = hint.endsWith("?") ? "" : ";";
  return {
    ...diagnostic,
    hint: `${hint}${end} incident validate --fix ${shellWord(location.file)} corrects it`,
  };
}
