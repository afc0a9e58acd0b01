// A line with --- or ... inside of a definition, and text below one, as in Markdown with front matter. Each gets one
// diagnostic, in the place of those for its parts.
import { type Diagnostic, errorAt, type Location } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { isMapping } from "../untrusted-data.ts";
import type { SourceDocument } from "./yaml/read.ts";

const { properties = {}, required = [] } = definitionRules;

/** The most places that are named, since each takes a look at the whole text. */
const mostPlaces = 10;

/** The diagnostics by the places of the documents that they are about. */
export function findStraySeparators(
  documents: readonly SourceDocument[],
  text: string,
): ReadonlyMap<number, readonly Diagnostic[]> {
  const found = new Map<number, readonly Diagnostic[]>();
  for (const [at, next] of documents.entries()) {
    const before = documents[at - 1];
    if (found.size >= 2 * mostPlaces) break;
    if (before === undefined || found.has(at - 1)) continue;
    if (typeof next.value === "string" && isMapping(before.value)) {
      const message = "text stands below the incident, as in Markdown";
      const hint = "write it into a description, or remove it with the line above it";
      found.set(at, [errorAt("wrong-type", { message, hint }, next.locate([]))]);
    }
    if (!isPart(before.value) || !isPart(next.value)) continue;
    const [names, others] = [Object.keys(before.value), Object.keys(next.value)];
    if (names.some((name) => others.includes(name))) continue;
    if (!required.every((name) => names.includes(name) || others.includes(name))) continue;
    const location = separatorAbove(text, next.locate([]));
    const message = `"${location.source.slice(0, 3)}" ends the incident, and ${others.join(", ")} follow${others.length > 1 ? "" : "s"} it`;
    const hint = `remove the line "${location.source.slice(0, 3)}": it stands between two incidents`;
    found.set(at - 1, [errorAt("missing-field", { message, hint }, location)]);
    found.set(at, []);
  }
  return found;
}

/** Whether the value has fields of a definition, and lacks one that it must have. */
function isPart(value: unknown): value is object {
  if (!isMapping(value) || !Object.keys(value).every((name) => Object.hasOwn(properties, name))) return false;
  return !required.every((name) => Object.hasOwn(value, name));
}

/** The separator above a location, or in its line. */
function separatorAbove(text: string, { file, start }: Location): Location {
  const lines = text.split(/\r?\n/).slice(0, start.line);
  const at = lines.findLastIndex((each) => /^(?:---|\.\.\.)/.test(each));
  const place = { line: at + 1, column: 1 };
  return { file, start: place, end: place, source: lines[at] ?? "" };
}
