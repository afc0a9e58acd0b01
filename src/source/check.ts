// Checks a parsed YAML value against rules, and returns a diagnostic for each violation at its place in the text.
import type { Diagnostic, DiagnosticMessage, Locate, Location, Path } from "../diagnostic.ts";
import { inOrder } from "../rules/in-order.ts";
import { createJudge, type Violation } from "../rules/judge.ts";
import { wordsFor } from "../rules/messages.ts";
import { quote } from "../rules/quote.ts";
import type { Rules } from "../rules/rule-schema.ts";
import { meantField } from "../rules/schema-facts.ts";
import { oddSpaceBefore } from "./yaml/odd-characters.ts";

export interface Checked<T> {
  /** The value with its fields in the order of the rules; `undefined` if there is a diagnostic. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly omitted: number;
  /** The paths that the diagnostics are about, with those of the fields that they suggest. */
  readonly paths: readonly Path[];
}

/** The most diagnostics of one value. The limit keeps a hostile file from filling the memory. */
const maxDiagnostics = 100;

/** The valid value, or a diagnostic for each violation. `rootName` names the value in messages. */
export function checkValue<T>(
  rules: Rules<T>,
  value: unknown,
  locate: Locate,
  rootName = "the document",
): Checked<T> {
  const { violations, omitted } = createJudge(rules, { most: 2 * maxDiagnostics })(value);
  if (violations.length === 0)
    return { value: inOrder(rules, value) as T, diagnostics: [], omitted: 0, paths: [] };
  // A misspelt or misplaced field gets one diagnostic, although the intended field is also missing.
  const suggestions = violations.flatMap(suggestedPath);
  const suggested = new Set(suggestions.map(keyOf));
  const reported = violations.filter(
    ({ keyword, path }) => keyword !== "required" || !suggested.has(keyOf(path)),
  );
  const diagnostics = reported
    .slice(0, maxDiagnostics)
    .map((violation) => toDiagnostic(violation, locate, rootName));
  return {
    value: undefined,
    diagnostics,
    omitted: omitted + reported.length - diagnostics.length,
    paths: [...violations.map(({ path }) => path), ...suggestions],
  };
}

function suggestedPath({ keyword, path, schema }: Violation): readonly Path[] {
  const meant = keyword === "no-other-fields" ? meantField(String(path.at(-1)), schema) : undefined;
  return meant === undefined ? [] : [[...path.slice(0, -1), meant.list ?? meant.field]];
}

function toDiagnostic(violation: Violation, locate: Locate, rootName: string): Diagnostic {
  const { code, fact, hint } = wordsFor(violation, rootName);
  const isName = code === "unknown-field";
  const location = locate(violation.path, isName ? "key" : "value");
  const mistake = isName ? nameMistake(String(violation.path.at(-1)), location) : undefined;
  return { code, level: "error", ...(mistake ?? { message: fact, hint }), location };
}

/** The words for an unknown name that is no name, but the rest of a text. */
function nameMistake(name: string, location: Location): DiagnosticMessage | undefined {
  const space = oddSpaceBefore(name);
  if (space !== undefined)
    return { message: `${space} is a part of this name, and looks like a space`, hint: "use spaces instead" };
  if (!isEntryWithoutColon(location)) return undefined;
  return {
    message: `${quote(name)} is not a field here: it has no colon`,
    hint: "if it is the rest of a text with a comma, put the whole text in quotes; else write it as name: value",
  };
}

const longestLine = 2000;

/** Whether the location is a name between the commas or braces of a mapping on one line, without a colon after it. */
function isEntryWithoutColon({ source, start, end }: Location): boolean {
  if (source.length > longestLine || start.line !== end.line) return false;
  const characters = [...source];
  const before = characters.slice(0, start.column - 1).join("");
  const after = characters.slice(end.column - 1).join("");
  return /[{,] *$/.test(before) && /^ *[},]/.test(after);
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
