// The rules of the service's contract that a definition breaks, as diagnostics at its lines.
import { type Diagnostic, errorAt, type Locate, type Path } from "../../diagnostic.ts";
import type { CheckBody } from "../../document/check-body.ts";
import { keyOf } from "../check.ts";
import { maxDiagnostics } from "../diagnostic-list.ts";

/** Leaves out violations at the `reported` paths, below them, and above them. */
export function contractDiagnostics(
  check: CheckBody | undefined,
  value: unknown,
  locate: Locate,
  reported: readonly Path[] = [],
): readonly Diagnostic[] {
  if (check === undefined) return [];
  const overlapsReported = createOverlap(reported);
  return check(value)
    .filter(({ path }) => !overlapsReported(path))
    .slice(0, maxDiagnostics)
    .map(({ path, isName, ...message }) =>
      errorAt("contract", message, locate(path, isName ? "key" : "value")),
    );
}

/** Creates the test whether a path leads to one of the `others`, or one of them leads to it. */
function createOverlap(others: readonly Path[]): (path: Path) => boolean {
  const ends = new Set(others.map(keyOf));
  const ways = new Set(others.flatMap(startsOf));
  return (path) => ways.has(keyOf(path)) || startsOf(path).some((start) => ends.has(start));
}

function startsOf(path: Path): readonly string[] {
  return Array.from({ length: path.length + 1 }, (_, length) => keyOf(path.slice(0, length)));
}
