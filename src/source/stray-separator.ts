// A line with --- or ... inside of a definition, and text below one, as in Markdown with front matter. Each gets one
// diagnostic, in the place of those for its parts.
import { type Diagnostic, type DiagnosticMessage, errorAt } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { isMapping } from "../untrusted-data.ts";
import { diagnosticAt } from "./documents.ts";
import type { SourceDocument } from "./yaml/read.ts";

const { properties = {}, required = [] } = definitionRules;

/** The most places that are named, since each takes a look at the whole text. */
const mostPlaces = 10;

/** The diagnostics by the places of the documents that they are about. */
export function findStraySeparators(
  documents: readonly SourceDocument[],
  text: string,
  file: string,
): ReadonlyMap<number, readonly Diagnostic[]> {
  const found = new Map<number, readonly Diagnostic[]>();
  for (const [at, next] of documents.entries()) {
    const before = documents[at - 1];
    if (found.size >= 2 * mostPlaces) break;
    if (before === undefined || found.has(at - 1)) continue;
    if (typeof next.value === "string" && isMapping(before.value))
      found.set(at, [errorAt("wrong-type", textBelow, next.locate([]))]);
    const rest = missingIn(before.value);
    if (rest === undefined || missingIn(next.value) === undefined) continue;
    const names = Object.keys(next.value as object);
    if (!rest.every((name) => names.includes(name)) || names.some((name) => has(before.value, name)))
      continue;
    const offset = offsetOfSeparator(text, next.locate([]).start.line);
    const separator = text.slice(offset, offset + 3);
    const message = {
      message: `"${separator}" ends the incident, and ${names.join(", ")} follow${names.length > 1 ? "" : "s"} it`,
      hint: `remove the line "${separator}": it stands between two incidents`,
    };
    found.set(at - 1, [diagnosticAt("missing-field", message, text, file, offset)]);
    found.set(at, []);
  }
  return found;
}

const has = (value: unknown, name: string) => isMapping(value) && Object.hasOwn(value, name);

/** The required fields that a part of a definition lacks; undefined for anything else. */
function missingIn(value: unknown): readonly string[] | undefined {
  if (!isMapping(value) || !Object.keys(value).every((name) => Object.hasOwn(properties, name)))
    return undefined;
  const missing = required.filter((name) => !has(value, name));
  return missing.length === 0 ? undefined : missing;
}

/** The start of the separator above the line, which is a number from 1, or in it. */
function offsetOfSeparator(text: string, line: number): number {
  const lines = text.split("\n").slice(0, line);
  const at = lines.findLastIndex((each) => /^(?:---|\.\.\.)/.test(each));
  return lines.slice(0, at).reduce((sum, each) => sum + each.length + 1, 0);
}

const textBelow: DiagnosticMessage = {
  message: "text stands below the incident, as in Markdown",
  hint: "write it into a description, or remove it with the line above it",
};
