// Checks one file: bytes to definitions, or to all diagnostics. Combines decoding, YAML, variables, flags, the catalog
// and the schema; a definition without diagnostics is ready to be sent.
import {
  type Diagnostic,
  type DiagnosticMessage,
  errorAt,
  type Locate,
  type Location,
  type Position,
} from "../diagnostic.ts";
import { findOversize } from "../incident/body-size.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { definitionSchema } from "../incident/definition-schema.ts";
import { isTemplate } from "../incident/template.ts";
import { shellWord } from "../text/advice.ts";
import { checkValue } from "./check.ts";
import { type CheckOptions, runChecks, type Subject } from "./checks.ts";
import { byPosition, limited, withoutDuplicates } from "./diagnostic-list.ts";
import { createLocateLater, diagnosticAt, faultOf, parseSource } from "./documents.ts";
import { foreignShape } from "./foreign-shape.ts";
import type { Source } from "./read-source.ts";
import { type Catalog, resolveServices } from "./resolve-services.ts";
import { findPlaceholders } from "./rules/placeholders.ts";
import { findStraySeparators } from "./stray-separator.ts";
import { bodyTooLarge, replaceVariables, type Variables } from "./variables/replace-variables.ts";

export interface LocatedDefinition {
  readonly definition: Definition;
  readonly file: string;
  readonly document: number;
  readonly documents: number;
  readonly locate: Locate;
  /** Of its id; of the definition where it has none. */
  readonly start: Position;
  readonly dedupKey?: string | undefined;
  /** The start times of the alert that the template read. */
  readonly alertStarts?: readonly string[] | undefined;
  /** The update of the template when the alert is over. */
  readonly ending?: Update | undefined;
}

export interface CheckedSources {
  /** The order is that of the files and their documents. The list is complete only if there are no diagnostics. */
  readonly definitions: readonly LocatedDefinition[];
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export interface LoadOptions extends CheckOptions {
  /** Throws a `Failure` once the time limit of the run is over. */
  readonly checkDeadline: () => void;
  readonly variables: Variables;
  /** Called if a definition uses the name of a service. */
  readonly catalog: () => Catalog;
  /** Changes a document before the check. An error that it throws ends the check. */
  readonly override?: (value: unknown) => unknown;
}

export function checkSources(
  sources: Iterable<Source>,
  loadOptions: LoadOptions = defaultLoadOptions(),
): CheckedSources {
  const checked = Array.from(sources, (source) => checkSource(source, loadOptions));
  return {
    definitions: checked.flatMap(({ definitions }) => definitions),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
    warnings: checked.flatMap(({ warnings }) => warnings),
  };
}

/** Checks one file. A fault of the check is a diagnostic of the file, so that it hides none of another file. */
export function checkSource(source: Source, loadOptions: LoadOptions): CheckedSources {
  try {
    return checkSourceAlone(source, loadOptions);
  } catch (error) {
    return refused(faultOf(source, error));
  }
}

function checkSourceAlone(source: Source, loadOptions: LoadOptions): CheckedSources {
  const { file } = source;
  loadOptions.checkDeadline();
  const { text, count, documents, diagnostics: textDiagnostics } = parseSource(source);
  if (count === 0 && textDiagnostics.length === 0)
    return refused(diagnosticAt("no-definition", noDefinition, text, file, 0));
  const [first] = documents;
  if (first !== undefined && isTemplate(first.value))
    return refused(errorAt("no-definition", templateInstead, first.locate(["variables"], "key")));
  const definitions: LocatedDefinition[] = [];
  const diagnostics = [...textDiagnostics];
  const warnings: Diagnostic[] = [];
  const locateLater = createLocateLater(text, file);
  /** A "#" may cut a text short. */
  const mayBeCut = / #[^\s#]/.test(text);
  let omitted = 0;
  const stray = documents.length > 1 ? findStraySeparators(documents, text, file) : undefined;
  for (const [at, { value, locate, index }] of documents.entries()) {
    const only = stray?.get(at);
    if (only !== undefined) {
      diagnostics.push(...only);
      continue;
    }
    const checked = checkDefinition(value, loadOptions, locate, mayBeCut);
    diagnostics.push(...checked.diagnostics);
    omitted += checked.omitted;
    const { value: definition } = checked;
    if (definition === undefined) continue;
    definitions.push({
      definition,
      file,
      document: index,
      documents: count,
      locate: locateLater(index),
      start: locate(definition.id === undefined ? [] : ["id"]).start,
    });
    warnings.push(...checked.warnings);
  }
  return {
    definitions,
    diagnostics: limited(withoutDuplicates(diagnostics.sort(byPosition).map(withCommand)), omitted),
    warnings: warnings.sort(byPosition),
  };
}

function refused(diagnostic: Diagnostic): CheckedSources {
  return { definitions: [], diagnostics: [diagnostic], warnings: [] };
}

/** Where --fix writes the correction, the hint says so. */
function withCommand(diagnostic: Diagnostic): Diagnostic {
  const { correction, hint, location } = diagnostic;
  if (correction === undefined || location.file.startsWith("<")) return diagnostic;
  const end = hint.endsWith("?") ? "" : ";";
  return {
    ...diagnostic,
    hint: `${hint}${end} incident validate --fix ${shellWord(location.file)} corrects it`,
  };
}

/** Runs every check. `mayBeCut`: whether a "#" may cut a text short. */
export function checkDefinition(value: unknown, loadOptions: LoadOptions, locate: Locate, mayBeCut = false) {
  const replaced = replaceVariables(value, loadOptions.variables, locate);
  const overridden = loadOptions.override?.(replaced.value) ?? replaced.value;
  const resolved = resolveServices(overridden, loadOptions.catalog, locate);
  // First, because a text that aliases repeat takes the other checks as long as if it were written out.
  const oversize = findOversize(resolved.value);
  const only = oversize
    ? errorAt("body-too-large", bodyTooLarge, locate(oversize))
    : foreignShape(overridden, locate);
  if (only !== undefined || replaced.isTooLarge)
    return {
      value: undefined,
      warnings: [],
      diagnostics: [...replaced.diagnostics, ...(only ? [only] : [])],
      omitted: replaced.omitted,
    };
  const placeholders = findPlaceholders(overridden, locate);
  const schema = checkValue(definitionSchema, resolved.value, locate);
  // A text with an unset variable or a placeholder gets one diagnostic, and none for its value.
  const unfinished = [...replaced.incomplete, ...placeholders.paths];
  const incomplete = new Set(unfinished.map((path) => spanOf(locate(path))));
  const isFinished = ({ location }: Diagnostic) => !incomplete.has(spanOf(location));
  const subject: Subject = {
    value: resolved.value,
    locate,
    filled: replaced.filled,
    unreadable: [
      ...replaced.diagnostics,
      ...placeholders.diagnostics,
      ...resolved.diagnostics.filter(isFinished),
    ],
    schema: {
      value: resolved.incomplete.length === 0 ? schema.value : undefined,
      diagnostics: schema.diagnostics.filter(isFinished),
    },
    reported: [...unfinished, ...resolved.incomplete, ...schema.paths],
    isFinished,
    mayBeCut,
  };
  const { definition, found } = runChecks(subject, loadOptions, unfinished.length === 0);
  const errors = found.filter(({ level }) => level === "error");
  const isValid = errors.length === 0 && unfinished.length === 0;
  return {
    value: isValid ? definition : undefined,
    warnings: found.filter(({ level }) => level === "warning"),
    diagnostics: errors,
    omitted: replaced.omitted + resolved.omitted + schema.omitted,
  };
}

function spanOf({ start, end }: Location): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

export function defaultLoadOptions(): LoadOptions {
  const catalog: Catalog = { file: ".incident.yaml", services: new Map(), diagnostics: [] };
  const variables = { values: new Map(), used: new Set<string>() };
  return { variables, catalog: () => catalog, checkDeadline: () => undefined };
}

const templateInstead: DiagnosticMessage = {
  message: "this file is a template, not a definition",
  hint: "move it to the folder of templates, and declare it with incident create --template NAME",
};

const noDefinition: DiagnosticMessage = {
  message: "this file contains no definition",
  hint: "write at least name, severity, services and incidentUpdates",
};
