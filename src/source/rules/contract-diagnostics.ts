// The rules of the service's contract that a definition breaks, as diagnostics at its lines. The rules are those of the
// service, so that another room judges them.
import type { Diagnostic, DiagnosticMessage, Locate, Path } from "../../diagnostic.ts";

/** A rule that a definition breaks. */
interface BrokenRule extends DiagnosticMessage {
  /** Of the value; of a missing field its own path. */
  readonly path: Path;
  /** Whether the name of the field is the problem, and not its value. */
  readonly isName: boolean;
}

/** Takes a definition, or the value of one with errors. */
export type CheckContract = (value: unknown) => readonly BrokenRule[];

/** The most diagnostics of one definition. */
const maxDiagnostics = 100;

/** Leaves out what concerns one of the `reported` paths, or a part of it, or what it is a part of. */
export function contractDiagnostics(
  check: CheckContract | undefined,
  value: unknown,
  locate: Locate,
  reported: readonly Path[] = [],
): readonly Diagnostic[] {
  if (check === undefined) return [];
  return check(value)
    .filter(({ path }) => !reported.some((other) => overlaps(path, other)))
    .slice(0, maxDiagnostics)
    .map(
      ({ path, isName, message, hint }): Diagnostic => ({
        code: "contract",
        level: "error",
        message,
        hint,
        location: locate(path, isName ? "key" : "value"),
      }),
    );
}

/** Whether one of the paths leads to the other. */
function overlaps(one: Path, other: Path): boolean {
  const shared = Math.min(one.length, other.length);
  return Array.from({ length: shared }, (_, index) => index).every((index) => one[index] === other[index]);
}
