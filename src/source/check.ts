// Checks a parsed YAML value against a zod schema, and returns a diagnostic for each violation. For a rule of its own,
// a schema gives the diagnostic code as zod's message.
import type * as z from "zod/mini";
import type { Diagnostic, DiagnosticMessage, Locate, Location, Path, ViolationCode } from "../diagnostic.ts";
import { fieldOf } from "../own-value.ts";
import { nearest } from "../text/suggest.ts";
import { isViolationCode, violationMessages } from "./messages.ts";
import { habitualField } from "./violations/habits.ts";
import {
  expectedKind,
  listsOf,
  ownerOf,
  type Schema,
  schemaAt,
  schemaFacts,
} from "./violations/schema-facts.ts";
import { kindOf, type ViolationDetails } from "./violations/violation.ts";

export interface Checked<T> {
  /** The schema's output; `undefined` if there is a diagnostic. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The number of further violations. */
  readonly omitted: number;
  /** The paths that the diagnostics are about, with those of the fields that they suggest. */
  readonly paths: readonly Path[];
}

/** The most diagnostics of one value. The limit keeps a hostile file from filling the memory. */
const maxDiagnostics = 100;

interface Violation {
  readonly code: ViolationCode;
  readonly path: Path;
  readonly details: ViolationDetails;
}

/** The schema's output for `value`, or a diagnostic for each violation. `rootName` names the value in messages. */
export function checkValue<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  locate: Locate,
  rootName = "the document",
): Checked<T> {
  const result = parse(schema, value);
  if (result === undefined) {
    const diagnostic: Diagnostic = {
      code: "file-too-large",
      level: "error",
      ...tooManyErrors,
      location: locate([]),
    };
    return { value: undefined, diagnostics: [diagnostic], omitted: 0, paths: [] };
  }
  if (result.success) return { value: result.data, diagnostics: [], omitted: 0, paths: [] };
  const { issues } = result.error;
  const violations = issues
    .slice(0, 2 * maxDiagnostics)
    .flatMap((issue) => toViolations(issue, schema, value, rootName));
  // A misspelt or misplaced field gets one diagnostic, although the intended field is also missing.
  const suggestions = violations.map(({ path, details }) => [
    ...path.slice(0, -1),
    details.suggestion ?? details.owner?.list ?? "",
  ]);
  const suggested = new Set(suggestions.map(keyOf));
  const reported = violations.filter(
    ({ code, path }) => code !== "missing-field" || !suggested.has(keyOf(path)),
  );
  const diagnostics = reported.slice(0, maxDiagnostics).map((violation) => toDiagnostic(violation, locate));
  const unread = Math.max(0, issues.length - 2 * maxDiagnostics);
  return {
    value: undefined,
    diagnostics,
    omitted: unread + reported.length - diagnostics.length,
    paths: [...violations.map(({ path }) => path), ...suggestions],
  };
}

/** The result of zod; `undefined` for more issues than it can collect. */
function parse<T>(schema: z.ZodMiniType<T>, value: unknown) {
  const options = { jitless: true };
  try {
    try {
      return schema.safeParse(value, options);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // zod takes the field `length` of a mapping for its length. The comparison needs a mapping with a prototype.
      return schema.safeParse(structuredClone(value), options);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const tooManyErrors: DiagnosticMessage = {
  message: "this document has more errors than can be listed",
  hint: "most of them are probably alike: correct them all, or check a short part of the document first",
};

/** As `checkValue`, for a mapping with names from outside. */
export function checkEntries<T>(
  schema: z.ZodMiniType<Record<string, T>>,
  value: unknown,
  locate: Locate,
  rootName?: string,
): { readonly entries: ReadonlyMap<string, T>; readonly diagnostics: readonly Diagnostic[] } {
  const checked = checkValue(schema, value, locate, rootName);
  const entries = new Map(Object.entries(checked.value ?? {}));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, special)) {
    return { entries, diagnostics: checked.diagnostics };
  }
  // zod leaves this name out of its output, unchecked.
  const entry = checkValue(schema, { entry: fieldOf(value, special) }, ([, ...path], ...more) =>
    locate([special, ...path], ...more),
  );
  const found = entry.value?.entry;
  if (found !== undefined) entries.set(special, found);
  return { entries, diagnostics: [...checked.diagnostics, ...entry.diagnostics] };
}

const special = "__proto__";

function toDiagnostic({ code, path, details }: Violation, locate: Locate): Diagnostic {
  const isName = code === "unknown-field";
  const location = locate(path, isName ? "key" : "value");
  const isBare = isName && isEntryWithoutColon(location);
  return { code, level: "error", ...violationMessages[code]({ ...details, isBare }), location };
}

/** The longest line that is searched, in UTF-16 units. */
const longestLine = 2000;

/** Whether the location is a name between the commas or braces of a mapping on one line, without a colon after it. */
function isEntryWithoutColon({ source, start, end }: Location): boolean {
  if (source.length > longestLine || start.line !== end.line) return false;
  const characters = [...source];
  const before = characters.slice(0, start.column - 1).join("");
  const after = characters.slice(end.column - 1).join("");
  return /[{,] *$/.test(before) && /^ *[},]/.test(after);
}

function toViolations(
  issue: z.core.$ZodIssue,
  root: Schema,
  document: unknown,
  rootName: string,
): Violation[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const schema = schemaAt(root, path);
  const value = path.reduce(fieldOf, document);
  const details: ViolationDetails = {
    name: path.length === 0 ? rootName : nameOf(path),
    value,
    expected: expectedKind(schema),
    ...schemaFacts(schema),
    maxLength: issue.code === "too_big" ? Number(issue.maximum) : undefined,
  };
  if (issue.code === "unrecognized_keys") {
    const lists = listsOf(schema);
    return issue.keys.map((key) => {
      const suggestion = nearest(key, details.fields) ?? habitualField(key, details.fields);
      const owner = suggestion === undefined ? ownerOf(key, lists) : undefined;
      return {
        code: "unknown-field",
        path: [...path, key],
        details: { ...details, name: key, suggestion, owner },
      };
    });
  }
  if (value === undefined) return [{ code: "missing-field", path, details }];
  if (kindOf(value) !== details.expected) return [{ code: "wrong-type", path, details }];
  const code = isViolationCode(issue.message) ? issue.message : "wrong-type";
  const suggestion = typeof value === "string" ? nearest(value, details.allowed) : undefined;
  return [{ code, path, details: { ...details, suggestion } }];
}

/** The name of the value at the path, for messages. */
function nameOf(path: Path): string {
  const [parent, last] = path.slice(-2).length === 2 ? path.slice(-2) : [undefined, path.at(-1)];
  return typeof last === "number" ? `entry ${last + 1} of ${parent ?? "the list"}` : `${last}`;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
