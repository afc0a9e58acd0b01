// Parses a YAML text into documents: the values at once, and the positions when one is asked for. The values come from
// the fast parser where its reading is certainly that of YAML 1.2, else from the parser of the whole language. Every
// YAML file is parsed here.
import type { Locate } from "../diagnostic.ts";
import { decodeText } from "./decode.ts";
import type { Source } from "./read-source.ts";
import { isAmbiguous } from "./yaml/ambiguous.ts";
import { composeDocuments, type ParsedText, type SourceDocument } from "./yaml/compose-documents.ts";
import { loadPlainYaml } from "./yaml/plain-yaml.ts";

export type { ParsedText, SourceDocument } from "./yaml/compose-documents.ts";

/** The longest text for the fast parser, in UTF-16 units. No text of this length reaches a bound of the other one. */
const longest = 100_000;

/** Decodes a file, and parses every document of it. Never throws. */
export function parseSource(source: Source): ParsedText {
  const decoded = decodeText(source);
  if ("text" in decoded) return parseDocuments(decoded.text, source.file);
  return { documents: [], count: 0, diagnostics: [decoded.diagnostic] };
}

/** Parses every document of `text`, the content of `file`. Never throws. */
export function parseDocuments(text: string, file: string): ParsedText {
  const values = text.length > longest || isAmbiguous(text) ? undefined : loadPlainYaml(text);
  if (values === undefined || !values.every(isCertain)) return composeDocuments(text, file);
  const compose = composeLater(text, file);
  const documents = values.map(
    (value, position): SourceDocument => ({
      value,
      index: position + 1,
      locate: (...place) => compose(position + 1).locate(...place),
      textOf: (path) => compose(position + 1).textOf(path),
    }),
  );
  return { documents, count: values.length, diagnostics: [] };
}

/**
 * The locations in a document that is read already. Parses the text for the first one: a valid file needs few, and a
 * parsed file takes much memory.
 */
export function locateLater(text: string, file: string): (index: number) => Locate {
  const compose = composeLater(text, file);
  return (index) =>
    (...place) =>
      compose(index).locate(...place);
}

function composeLater(text: string, file: string): (index: number) => SourceDocument {
  let documents: ReadonlyMap<number, SourceDocument> | undefined;
  return (index) => {
    documents ??= new Map(composeDocuments(text, file).documents.map((each) => [each.index, each]));
    return documents.get(index) as SourceDocument;
  };
}

/** The text of a key that is not plain text in YAML, such as 01 or True, and that the fast parser has converted. */
const convertedKey = /^(?:[-+.\d].*|true|false|null|NaN|Infinity)$/;

/** Whether both parsers read the value so. The parsers count an empty document in different ways. */
function isCertain(document: unknown): boolean {
  return document !== null && document !== undefined && hasPlainKeys(document);
}

function hasPlainKeys(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasPlainKeys);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, field]) => !convertedKey.test(key) && hasPlainKeys(field));
}
