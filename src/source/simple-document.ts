// For speed: reads a document in simple YAML with its positions, several times faster than documents.ts.
import type { ParsedText } from "./documents.ts";
import { createLocateSpan, createOrigins, type SpanOf } from "./positions.ts";
import { isAmbiguous } from "./yaml/ambiguous.ts";
import { type Part, readSimpleYaml } from "./yaml/simple-yaml.ts";

/** The longest text that is read, in UTF-16 units. None of this length reaches a bound of the parser. */
const longest = 100_000;

/** The result of `parseDocuments` for a text in simple YAML; `undefined` for any other text. */
export function parseSimpleDocument(text: string, file: string): ParsedText | undefined {
  const value = text.length > longest || isAmbiguous(text) ? undefined : readSimpleYaml(text);
  if (value === undefined) return undefined;
  const origins = createOrigins(createSpanOf(text), createLocateSpan(text, file), text);
  return { documents: [{ value, ...origins, index: 1 }], count: 1, diagnostics: [] };
}

/** Reads the text again for the first position. */
function createSpanOf(text: string): SpanOf {
  let parts: ReadonlyMap<unknown, ReadonlyMap<string, Part>> | undefined;
  return (path, place) => {
    parts ??= readParts(text);
    let part = parts.get(undefined)?.get("") as Part;
    let { span } = part;
    for (const [depth, step] of path.entries()) {
      const next = parts.get(part.value)?.get(String(step));
      if (next === undefined) break;
      part = next;
      span = place === "key" && depth === path.length - 1 ? (part.key ?? part.span) : part.span;
    }
    return span;
  };
}

/** The parts of each mapping and list. */
function readParts(text: string): ReadonlyMap<unknown, ReadonlyMap<string, Part>> {
  const parts = new Map<unknown, Map<string, Part>>();
  readSimpleYaml(text, (holder, step, part) => {
    const own = parts.get(holder) ?? new Map<string, Part>();
    parts.set(holder, own.set(String(step), part));
  });
  return parts;
}
