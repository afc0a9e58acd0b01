// Files to definitions, or to everything that is wrong with them. It hides encodings, bounds, YAML and the
// schema; what it gives can be declared as it is.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import { type Definition, definitionSchema } from "../incident/definition.ts";
import { type Catalog, replaceServices } from "./catalog.ts";
import { checkValue } from "./check.ts";
import { readText, refuse } from "./decode.ts";
import { parseDocuments, type SourceDocument } from "./documents.ts";
import type { Source } from "./files.ts";
import { untold, type Wording } from "./text-errors.ts";
import { replaceVariables, type Variables } from "./variables.ts";

export interface LocatedDefinition {
  readonly definition: Definition;
  readonly file: string;
  /** Which of its file's documents it is, from 1, and how many there are. */
  readonly document: number;
  readonly documents: number;
  readonly locate: Locate;
}

export interface CheckedSources {
  /** In the order of the files, and of the documents in each. Complete only without diagnostics. */
  readonly definitions: readonly LocatedDefinition[];
  /** In the order of the files, and of their text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What documents are read with, beside their own text. */
export interface LoadOptions {
  readonly variables: Variables;
  /** Called where a definition names a service. */
  readonly catalog: () => Catalog;
  /** Changes a document before it is judged. What it throws ends the check. */
  readonly override?: (value: unknown) => unknown;
  /** Reads a text that is surely valid in a quicker way; worth loading for many files. */
  readonly readValid?: (text: string, catalog: () => Catalog) => readonly Definition[] | undefined;
}

/** Told of one file, however many documents it has. */
const mostTold = 100;

/** Checks every file. It never throws, whatever the bytes are. */
export function checkSources(sources: Iterable<Source>, surroundings = nothingAround()): CheckedSources {
  const definitions: LocatedDefinition[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of sources) {
    const checked = checkSource(source, surroundings);
    for (const definition of checked.definitions) definitions.push(definition);
    for (const diagnostic of checked.diagnostics) diagnostics.push(diagnostic);
  }
  return { definitions, diagnostics };
}

/** Checks one file. It never throws, whatever the bytes are. */
export function checkSource(source: Source, surroundings: LoadOptions): CheckedSources {
  const { file } = source;
  const read = readText(source);
  if ("refused" in read) return { definitions: [], diagnostics: [read.refused] };
  const locateIn = createLateLocate(read.text, file);
  const { catalog, override, readValid } = surroundings;
  const valid = override === undefined ? readValid?.(read.text, catalog) : undefined;
  if (valid !== undefined) {
    const place = (index: number) => ({
      file,
      document: index,
      documents: valid.length,
      locate: locateIn(index),
    });
    return {
      definitions: valid.map((definition, at) => ({ definition, ...place(at + 1) })),
      diagnostics: [],
    };
  }
  const parsed = parseDocuments(read.text, file);
  if (parsed.count === 0 && parsed.diagnostics.length === 0) {
    return { definitions: [], diagnostics: [refuse("no-definition", nothing, read.text, file, 0)] };
  }
  const { count } = parsed;
  const definitions: LocatedDefinition[] = [];
  const diagnostics = [...parsed.diagnostics];
  let more = 0;
  for (const { value, locate, index } of parsed.documents) {
    const checked = checkDefinition(value, surroundings, locate);
    diagnostics.push(...checked.diagnostics);
    more += checked.untold;
    if (checked.value === undefined) continue;
    const located = { file, document: index, documents: count, locate: locateIn(index) };
    definitions.push({ definition: checked.value, ...located });
  }
  return { definitions, diagnostics: bounded(withoutRepeats(diagnostics.sort(byPosition)), more) };
}

/** Finds places by parsing once more: few are asked for in a sound file, and parsed files are much to keep. */
function createLateLocate(text: string, file: string): (index: number) => Locate {
  let documents: readonly SourceDocument[] | undefined;
  return (index) =>
    (path, ...more) => {
      documents ??= parseDocuments(text, file).documents;
      const document = documents.find((candidate) => candidate.index === index) as SourceDocument;
      return document.locate(path, ...more);
    };
}

/** Judges one document's value, after variables, flags and the catalog have had their say. */
export function checkDefinition(value: unknown, surroundings: LoadOptions, locate: Locate) {
  const replaced = replaceVariables(value, surroundings.variables, locate);
  const overridden = surroundings.override?.(replaced.value) ?? replaced.value;
  const resolved = replaceServices(overridden, surroundings.catalog, locate);
  const found = [...replaced.diagnostics, ...resolved.diagnostics];
  const checked = checkValue(definitionSchema, resolved.value, locate);
  // A text whose variable is not set is told once, and not also for what it is without its value.
  const unknown = new Set(replaced.unknown.map((path) => JSON.stringify(locate(path))));
  const judged = checked.diagnostics.filter(({ location }) => !unknown.has(JSON.stringify(location)));
  return {
    value: found.length === 0 && resolved.isComplete ? checked.value : undefined,
    diagnostics: [...found, ...judged],
    untold: checked.untold,
  };
}

/** No variables, and no catalog. */
export function nothingAround(): LoadOptions {
  const catalog: Catalog = { file: ".incident.yaml", services: new Map(), diagnostics: [] };
  return { variables: { values: new Map(), used: new Set() }, catalog: () => catalog };
}

function bounded(sorted: readonly Diagnostic[], more: number): readonly Diagnostic[] {
  const told = sorted.slice(0, mostTold);
  const last = told.at(-1);
  const count = sorted.length - told.length + more;
  return last === undefined || count === 0 ? told : [...told, { ...last, ...untold(count) }];
}

/** A slip in a value that aliases repeat is found wherever it is used, but stands in one place. */
function withoutRepeats(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  return sorted.filter((diagnostic, index) => {
    const before = sorted[index - 1];
    return (
      before === undefined ||
      before.message !== diagnostic.message ||
      before.code !== diagnostic.code ||
      byPosition(before, diagnostic) !== 0
    );
  });
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.location.start, b.location.start];
  return one.line - other.line || one.column - other.column;
}

const nothing: Wording = {
  message: "this file holds no definition",
  hint: "write at least name, severity, services and incidentUpdates",
};
