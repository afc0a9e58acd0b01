// For speed: reads valid definitions several times faster than definitions.ts, and loads neither its parser nor the
// schema. It only accepts; text that the parsers might read differently takes the regular path.
import { acceptDefinition } from "../incident/accept-definition.ts";
import type { Definition } from "../incident/definition.ts";
import { decodeText } from "./decode.ts";
import type { CheckedSources, LoadOptions } from "./definitions.ts";
import { createOpenLocate } from "./open-locate.ts";
import type { Source } from "./read-source.ts";
import { type Catalog, resolveServices } from "./resolve-services.ts";
import { contractDiagnostics } from "./rules/contract-diagnostics.ts";
import { findWarnings, publicTexts } from "./rules/warnings.ts";
import { isAmbiguous } from "./yaml/ambiguous.ts";
import { loadPlainYaml } from "./yaml/plain-yaml.ts";
import { readSimpleYaml } from "./yaml/simple-yaml.ts";

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
  if (isAmbiguous(text)) return undefined;
  try {
    const simple = readSimpleYaml(text);
    const documents = simple === undefined ? loadPlainYaml(text) : [simple];
    const definitions = documents.flatMap((document) => validDefinition(document, catalog) ?? []);
    return documents.length > 0 && definitions.length === documents.length ? definitions : undefined;
  } catch {
    return undefined;
  }
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
