// For speed: reads valid definitions several times faster than definitions.ts, and loads neither its parser nor the
// schema. It only accepts; text that the parsers might read differently takes the regular path.
import { acceptDefinition } from "../incident/accept-definition.ts";
import type { Definition } from "../incident/definition.ts";
import { placeholder } from "../incident/rules.ts";
import { decodeText } from "./decode.ts";
import type { CheckedSources, LoadOptions } from "./definitions.ts";
import { createOpenLocate } from "./open-locate.ts";
import type { Source } from "./read-source.ts";
import { type Catalog, resolveServices } from "./resolve-services.ts";
import { contractDiagnostics } from "./rules/contract-diagnostics.ts";
import { findWarnings, publicTexts } from "./rules/warnings.ts";
import { loadPlainYaml } from "./yaml/plain-yaml.ts";
import { readSimpleYaml } from "./yaml/simple-yaml.ts";

/**
 * The syntax that the parsers read differently, or might, and syntax that simple-yaml.ts does not look for. Each
 * alternative starts with its rarest character and looks back from there, which halves the time of the search.
 */
const ambiguous = new RegExp(
  [
    // A text that a "#" may cut short, for the warning.
    String.raw`#(?<= .)[^\s#]`,
    // A placeholder, which is an error.
    placeholder,
    // Control characters, including tabs, a lone carriage return, and a byte order mark or a noncharacter in the text.
    // The range is \p{Cc}, which V8 would look up at each start.
    String.raw`[\x00-\x09\x0B\x0C\x0E-\x1F\x7F-\x9F\uFEFF\uFFFE\uFFFF]|\r(?!\n)`,
    // Variables, and escapes that could hide a variable or a quote.
    String.raw`\$|\\["xuU]`,
    // Anchors, aliases, tags, directives, complex keys, and the markers of a merge conflict.
    String.raw`!(?<=(?:^|[\s[{,:?-]).)|[&*](?<=(?:^|[\s[{,:?-]).)\S|%(?<=^.)|\?(?<=(?:^|[\s[{,-]).)(?:\s|$)|<<<<<<<`,
    // A document marker with more text on its line, and a comment directly after a value.
    String.raw`(?:-(?<=^.)--|\.(?<=^.)\.\.)[^\n\r]|#(?<=["'\]}[{,].)`,
    // Quotes over several lines, whose indentation only one parser checks.
    String.raw`["'](?<=(?:^|[-:,[{]) *.)(?:(?<=")[^"\n]*|(?<=')(?:[^'\n]|'')*)$`,
    // Block scalars with an indicator other than -, and spaces at the end of a line.
    String.raw`[|>](?<=[\s:?-].)(?!-?$)| $`,
  ].join("|"),
  "mu",
);

/** Strings that only one of the parsers might read as a number. */
const numeric = /^[-+]?\.?(?:\d[\d._a-fxo]*(?:e[-+]?\d+)?|inf|nan)$/i;

/** The definitions of one file; `undefined` unless all of them are certainly valid and nothing is to be said of them. */
export function acceptSource(source: Source, loadOptions: LoadOptions): CheckedSources | undefined {
  const { catalog, contract, now, override, policy } = loadOptions;
  if (override !== undefined) return undefined;
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) return undefined;
  const { text } = decoded;
  const valid = readValid(text, catalog);
  if (valid === undefined) return undefined;
  const isPlain = (definition: Definition) =>
    contractDiagnostics(contract, definition, nowhere).length === 0 &&
    (policy?.(definition, nowhere) ?? []).length === 0 &&
    findWarnings(definition, nowhere, false, now).length === 0;
  if (!valid.every(isPlain)) return undefined;
  const { file } = source;
  const documents = valid.length;
  const openLocateIn = createOpenLocate(text, file);
  const definitions = valid.map((definition, index) => ({
    definition,
    file,
    document: index + 1,
    documents,
    openLocate: openLocateIn(index + 1),
  }));
  return { definitions, diagnostics: [], warnings: [] };
}

/** The definitions in `text`; `undefined` unless all of them are certainly valid. */
export function readValid(text: string, catalog: () => Catalog): readonly Definition[] | undefined {
  if (ambiguous.test(text) || !hasPlainBrackets(text)) return undefined;
  try {
    const simple = readSimpleYaml(text);
    const documents = simple === undefined ? loadPlainYaml(text) : [simple];
    const definitions = documents.flatMap((document) => validDefinition(document, catalog) ?? []);
    return documents.length > 0 && definitions.length === documents.length ? definitions : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether brackets close on the line that opens them, because only one parser checks the indentation of further lines,
 * and no quotes are on that line.
 */
function hasPlainBrackets(text: string): boolean {
  let depth = 0;
  /** The end of the line that was searched for quotes. */
  let lineEnd = -1;
  const brackets = /[[\]{}]/g;
  while (brackets.test(text)) {
    const index = brackets.lastIndex - 1;
    const bracket = text[index];
    if (index > lineEnd) {
      if (depth > 0) return false;
      const lineStart = text.lastIndexOf("\n", index) + 1;
      lineEnd = (text.indexOf("\n", index) + 1 || text.length + 1) - 1;
      if (/["']/.test(text.slice(lineStart, lineEnd))) return false;
    }
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function validDefinition(document: unknown, catalog: () => Catalog): Definition | undefined {
  const { value, isComplete } = resolveServices(document, catalog, nowhere);
  if (!isComplete) return undefined;
  const definition = acceptDefinition(value);
  if (definition === undefined || definition.duration !== undefined) return undefined;
  // No other string of an accepted definition looks like a number.
  return publicTexts(definition).some((text) => numeric.test(text)) ? undefined : definition;
}

const position = { line: 1, column: 1 };
const nowhere = () => ({ file: "", start: position, end: position, source: "" });
