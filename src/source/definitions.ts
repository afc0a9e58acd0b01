// Checks files: bytes to definitions, or to all diagnostics. Combines decoding, YAML, variables, flags, the catalog
// and the schema; a definition without diagnostics is ready to be sent.
import type { Diagnostic, DiagnosticMessage, Locate, Location } from "../diagnostic.ts";
import { type Definition, definitionSchema } from "../incident/definition.ts";
import { isTemplate } from "../incident/template.ts";
import { checkValue } from "./check.ts";
import { decodeText, diagnosticAt } from "./decode.ts";
import { byPosition, limited, withoutDuplicates } from "./diagnostic-list.ts";
import { parseDocuments, type SourceDocument } from "./documents.ts";
import type { Source } from "./read-source.ts";
import { type Catalog, resolveServices } from "./resolve-services.ts";
import { type CheckContract, contractDiagnostics } from "./rules/contract-diagnostics.ts";
import { findPlaceholders } from "./rules/placeholders.ts";
import { findWarnings } from "./rules/warnings.ts";
import { replaceVariables, type Variables } from "./variables/replace-variables.ts";

/** The document that a definition comes from. */
export interface DocumentOrigin {
  readonly file: string;
  /** The number of the document in its file, from 1. */
  readonly document: number;
  /** The number of documents in the file. */
  readonly documents: number;
  readonly locate: Locate;
}

export interface LocatedDefinition extends DocumentOrigin {
  readonly definition: Definition;
}

export interface CheckedSources {
  /** In the order of the files and their documents. Complete only if there are no diagnostics. */
  readonly definitions: readonly LocatedDefinition[];
  /** In the order of the files and their text. */
  readonly diagnostics: readonly Diagnostic[];
  /** About valid definitions. */
  readonly warnings: readonly Diagnostic[];
}

/** The input of a check besides the files. */
export interface LoadOptions {
  readonly variables: Variables;
  /** Called if a definition uses the name of a service. */
  readonly catalog: () => Catalog;
  /** Changes a document before the check. An error that it throws ends the check. */
  readonly override?: (value: unknown) => unknown;
  /** The check of a valid definition against the policy of the project, if there is one. */
  readonly policy?: ((definition: Definition, locate: Locate) => readonly Diagnostic[]) | undefined;
  /** The check against the service's contract, if there is one. */
  readonly contract?: CheckContract | undefined;
  /** The fast path for valid text; loading it pays off for many files. */
  readonly readValid?: (text: string, catalog: () => Catalog) => readonly Definition[] | undefined;
}

/** Checks every file. Never throws for any bytes. */
export function checkSources(
  sources: Iterable<Source>,
  loadOptions: LoadOptions = defaultLoadOptions(),
): CheckedSources {
  const definitions: LocatedDefinition[] = [];
  const diagnostics: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  for (const source of sources) {
    const checked = checkSource(source, loadOptions);
    for (const definition of checked.definitions) definitions.push(definition);
    for (const diagnostic of checked.diagnostics) diagnostics.push(diagnostic);
    for (const warning of checked.warnings) warnings.push(warning);
  }
  return { definitions, diagnostics, warnings };
}

/** Checks one file. Never throws for any bytes. */
export function checkSource(source: Source, loadOptions: LoadOptions): CheckedSources {
  const { file } = source;
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) return { definitions: [], diagnostics: [decoded.diagnostic], warnings: [] };
  const { text } = decoded;
  const locateIn = createLazyLocate(text, file);
  const originOf = (document: number, documents: number): DocumentOrigin => ({
    file,
    document,
    documents,
    locate: locateIn(document),
  });
  const { catalog, contract, override, policy, readValid } = loadOptions;
  const valid = override === undefined ? readValid?.(text, catalog) : undefined;
  if (valid !== undefined) {
    const definitions = valid.map((definition, index) => ({
      definition,
      ...originOf(index + 1, valid.length),
    }));
    const diagnostics = definitions.flatMap(({ definition, locate }) => [
      ...contractDiagnostics(contract, definition, locate),
      ...(policy?.(definition, locate) ?? []),
    ]);
    if (diagnostics.length > 0)
      return { definitions: [], diagnostics: limited(diagnostics, 0), warnings: [] };
    return { definitions, diagnostics, warnings: definitions.flatMap(warningsOf(false)) };
  }
  const { count, documents, diagnostics: textDiagnostics } = parseDocuments(text, file);
  if (count === 0 && textDiagnostics.length === 0) {
    const diagnostic = diagnosticAt("no-definition", noDefinition, text, file, 0);
    return { definitions: [], diagnostics: [diagnostic], warnings: [] };
  }
  const [first] = documents;
  if (first !== undefined && isTemplate(first.value)) {
    const location = first.locate(["variables"], "key");
    const diagnostic: Diagnostic = { code: "no-definition", level: "error", ...templateInstead, location };
    return { definitions: [], diagnostics: [diagnostic], warnings: [] };
  }
  const definitions: LocatedDefinition[] = [];
  const diagnostics = [...textDiagnostics];
  let omitted = 0;
  for (const { value, locate, index } of documents) {
    const checked = checkDefinition(value, loadOptions, locate);
    diagnostics.push(...checked.diagnostics);
    omitted += checked.omitted;
    if (checked.value !== undefined)
      definitions.push({ definition: checked.value, ...originOf(index, count) });
  }
  const warnings = definitions.flatMap(warningsOf(/ #[^\s#]/.test(text))).sort(byPosition);
  return {
    definitions,
    diagnostics: limited(withoutDuplicates(diagnostics.sort(byPosition)), omitted),
    warnings,
  };
}

/** `mayBeCut`: whether a "#" in the file may cut a text short, which takes parsing the file again. */
function warningsOf(mayBeCut: boolean): (located: LocatedDefinition) => readonly Diagnostic[] {
  return ({ definition, locate }) => findWarnings(definition, locate, mayBeCut);
}

/** Parses the text again for the first location: a valid file needs few, and parsed files take much memory. */
function createLazyLocate(text: string, file: string): (index: number) => Locate {
  let documents: readonly SourceDocument[] | undefined;
  return (index) =>
    (path, ...more) => {
      documents ??= parseDocuments(text, file).documents;
      const document = documents.find((candidate) => candidate.index === index) as SourceDocument;
      return document.locate(path, ...more);
    };
}

/** Checks the value of one document after applying variables, the override and the catalog. */
export function checkDefinition(value: unknown, loadOptions: LoadOptions, locate: Locate) {
  const replaced = replaceVariables(value, loadOptions.variables, locate);
  const overridden = loadOptions.override?.(replaced.value) ?? replaced.value;
  const placeholders = findPlaceholders(overridden, locate);
  const resolved = resolveServices(overridden, loadOptions.catalog, locate);
  const checked = checkValue(definitionSchema, resolved.value, locate);
  // A text with an unset variable or a placeholder gets one diagnostic, and none for its value.
  const unfinished = [...replaced.incomplete, ...placeholders.paths];
  const incomplete = new Set(unfinished.map((path) => spanOf(locate(path))));
  const isFinished = ({ location }: Diagnostic) => !incomplete.has(spanOf(location));
  const earlier = [
    ...replaced.diagnostics,
    ...placeholders.diagnostics,
    ...resolved.diagnostics.filter(isFinished),
  ];
  // One mistake gets one diagnostic: the contract does not repeat the built-in rules.
  const reported = [...unfinished, ...resolved.incomplete, ...checked.paths];
  const broken = contractDiagnostics(loadOptions.contract, resolved.value, locate, reported);
  const isValid =
    earlier.length === 0 && unfinished.length === 0 && resolved.isComplete && broken.length === 0;
  const forbidden =
    isValid && checked.value !== undefined ? (loadOptions.policy?.(checked.value, locate) ?? []) : [];
  return {
    value: isValid && forbidden.length === 0 ? checked.value : undefined,
    diagnostics: [...earlier, ...checked.diagnostics.filter(isFinished), ...broken, ...forbidden],
    omitted: replaced.omitted + resolved.omitted + checked.omitted,
  };
}

function spanOf({ start, end }: Location): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** No variables, and an empty catalog. */
export function defaultLoadOptions(): LoadOptions {
  const catalog: Catalog = { file: ".incident.yaml", services: new Map(), diagnostics: [] };
  return { variables: { values: new Map(), used: new Set() }, catalog: () => catalog };
}

const templateInstead: DiagnosticMessage = {
  message: "this file is a template, not a definition",
  hint: "move it to the folder of templates, and declare it with incident create --template NAME",
};

const noDefinition: DiagnosticMessage = {
  message: "this file contains no definition",
  hint: "write at least name, severity, services and incidentUpdates",
};
