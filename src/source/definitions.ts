// Checks one file: bytes to definitions, or to all diagnostics. Every command that takes definitions runs all checks of
// `checkDefinition`; a definition without diagnostics is ready to be sent.
import { arranged, errorAt, isError, isWithin, maxDiagnostics, type Problem } from "../diagnostic.ts";
import type { CheckBody } from "../document/check-body.ts";
import { Failure, messageOf } from "../failure.ts";
import type { Definition } from "../incident/definition.ts";
import { checkNotify, checkTexts, type Policy } from "../incident/policy.ts";
import { definitionSchema } from "../incident/schemas.ts";
import { findOversize, maxBodySize, placeholder } from "../incident/values.ts";
import { schemaAt } from "../rules/messages.ts";
import { shell } from "../text/advice.ts";
import { isMapping } from "../untrusted-data.ts";
import { checkValue, diagnose } from "./check.ts";
import { foreignShape } from "./foreign-shape.ts";
import type { Source } from "./read-source.ts";
import { type Catalog, findOtherServices, resolveServices } from "./resolve-services.ts";
import { cutTexts, replaceVariables, textsIn, type Variables } from "./variables.ts";
import { backwardUpdates, findWarnings, leakProblems, publicTexts } from "./warnings.ts";
import { isTemplate, type ParsedText, parseSource, type SourceDocument } from "./yaml/read.ts";

export interface LocatedDefinition {
  readonly definition: Definition;
  /** The place of its id, or of the definition if it has no id. */
  readonly place: ReturnType<SourceDocument["locate"]>;
  readonly dedupKey?: string | undefined;
  /** The start times of the alert that the template read. */
  readonly alertStarts?: readonly string[] | undefined;
}

export type CheckedSources = ReturnType<typeof checkDocuments>;

/** A policy or a contract that is left out is not checked. */
export interface LoadOptions {
  readonly policy?: Policy | undefined;
  readonly contract?: CheckBody | undefined;
  /** Throws a `Failure` once the time limit of the run is over. */
  readonly checkDeadline: () => void;
  readonly variables: Variables;
  readonly requireIds?: boolean | undefined;
  /** The services that a definition can name. */
  readonly catalog: Catalog;
  /** Changes a document before the check. An error that it throws ends the check. */
  readonly override?: (value: unknown) => unknown;
}

/** `definitions` are complete only if no diagnostic is an error. `diagnostics`: of each file its errors, then its warnings. */
export function checkSources(sources: Iterable<Source>, loadOptions: LoadOptions = defaultLoadOptions()) {
  const checked = Array.from(sources, (source) => checkDocuments(parseSource(source), loadOptions));
  return {
    definitions: checked.flatMap(({ definitions }) => definitions),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Checks one file. A fault of the check is a diagnostic of the file, so that it hides none of another file. */
export function checkDocuments(parsed: ParsedText, options: LoadOptions) {
  options.checkDeadline();
  const { documents, diagnostics: textDiagnostics, start } = parsed;
  try {
    if (documents.length + textDiagnostics.length === 0) return refused("no-definition", noDefinition, start);
    const [first] = documents;
    if (first !== undefined && isTemplate(parsed))
      return refused("no-definition", templateInstead, first.locate(["variables"], "key"));
    const definitions: LocatedDefinition[] = [];
    const diagnostics = [...textDiagnostics];
    // An unreadable first document may be that of a template, and declare the variables.
    const isUnread = textDiagnostics.some(({ code }) => code === "yaml-syntax");
    const variables = { ...options.variables, ...(isUnread && { isUnread }) };
    for (const document of documents) {
      const { problems, value: definition } = checkDefinition(document.value, { ...options, variables });
      diagnostics.push(...diagnosticsOf(document, problems));
      if (options.requireIds && isMapping(document.value) && !("id" in document.value))
        diagnostics.push(errorAt("missing-id", missingId(start.file), document.locate([])));
      if (definition === undefined) continue;
      definitions.push({ definition, place: document.locate(["id"]) });
    }
    return { definitions, diagnostics: arranged(diagnostics) };
  } catch (error) {
    // A `Failure`, such as a time limit, is about the run and not the file.
    if (error instanceof Failure) throw error;
    const message = `this file could not be checked: ${messageOf(error)}`;
    const hint = "split a very large file; else this is a bug in incident: please report it with the file";
    return refused("fault", { message, hint }, start);
  }
}

function missingId(file: string) {
  const message = "the definition has no id, so a rerun could not recognize the incident";
  const hint =
    file === "<stdin>"
      ? "write id: in it, or declare it with incident create -f - --key TEXT: every run with the same text declares the same incident"
      : `give it one with ${shell`incident validate --fix --assign-ids -f ${file}`}`;
  return { message, hint };
}

function refused(...error: Parameters<typeof errorAt>) {
  return { definitions: [], diagnostics: [errorAt(...error)] };
}

/** With a warning for each text that a comment cuts short. */
export function diagnosticsOf(document: SourceDocument, problems: readonly Problem[]) {
  const cut = cutTexts(document, publicTexts(document.value));
  return arranged([...problems.map((each) => diagnose(document, each)), ...cut]);
}

/** The value is undefined where a problem is an error, and where the value of a variable is not known. */
export function checkDefinition(value: unknown, options: LoadOptions) {
  const replaced = replaceVariables(value, options.variables);
  const { filled } = replaced;
  const overridden = options.override?.(replaced.value) ?? replaced.value;
  const resolved = resolveServices(overridden, options.catalog);
  // The size is checked first: the other checks take as long for repeated aliases as for their whole text.
  const oversize = replaced.tooLargeAt ?? findOversize(resolved.value);
  const only: Problem | undefined = oversize
    ? { code: "body-too-large", ...bodyTooLarge, path: oversize }
    : foreignShape(overridden);
  if (only !== undefined) return { filled, problems: [...replaced.problems, only] };
  const placeholders = findPlaceholders(overridden);
  const schema = checkValue(definitionSchema(), resolved.value);
  // A text with an unset variable or a placeholder has this problem alone.
  const unfinished = [...replaced.incomplete, ...placeholders.map(({ path }) => path)];
  const isFinished = ({ part, path }: Problem) =>
    part === "key" || !unfinished.some((each) => isWithin(path, each));
  const reported = [...unfinished, ...resolved.incomplete, ...schema.paths];
  // A problem of the contract is reported only for a part without another problem.
  const isReported = ({ path }: Problem) =>
    reported.some((other) => isWithin(path, other) || isWithin(other, path));
  const ofContract = options.contract?.(resolved.value).filter((each) => !isReported(each)) ?? [];
  const definition = resolved.incomplete.length === 0 ? schema.value : undefined;
  const { policy = {} } = options;
  const ofWhole = definition && [
    ...checkNotify(definition, policy),
    ...repeatedEntries(definition),
    ...backwardUpdates(definition),
    ...findOtherServices(definition.services, options.catalog),
  ];
  const texts = publicTexts(resolved.value);
  const problems = [
    ...replaced.problems,
    ...placeholders,
    ...ofContract.slice(0, maxDiagnostics),
    ...[
      ...resolved.problems,
      ...schema.problems,
      ...checkTexts(texts, policy),
      ...leakProblems(texts, filled, policy.leaks),
      ...findWarnings(texts),
      ...(ofWhole ?? []),
    ].filter(isFinished),
  ];
  const isValid = unfinished.length === 0 && !problems.some(isError);
  return { ...(isValid && { value: definition }), filled, problems };
}

/**
 * Entries with the id of an earlier one: the service would keep one of two such updates, and the other would pass for posted. Equal
 * texts are no error, because a file keeps every published update.
 */
function repeatedEntries({ incidentUpdates, services }: Definition): readonly Problem[] {
  return [
    ...repeatsOf(incidentUpdates).map((at): Problem => {
      return { code: "duplicate-id", ...sameId, path: ["incidentUpdates", at, "id"] };
    }),
    ...repeatsOf(services).map((at): Problem => {
      return { code: "repeated-entry", level: "warning", ...sameId, path: ["services", at, "id"] };
    }),
  ];
}

/** The indexes of the entries with the id of an earlier one. */
function repeatsOf(entries: readonly { readonly id?: string | undefined }[]): readonly number[] {
  const keys = entries.map(({ id }) => id?.toLowerCase());
  const first = new Map(keys.map((key, at) => [key, at] as const).reverse());
  return [...keys.keys()].filter((at) => keys[at] !== undefined && first.get(keys[at]) !== at);
}

/** Those of incident new that a person has left. */
function findPlaceholders(value: unknown) {
  const left = textsIn(value).filter(({ text }) => text.includes(placeholder));
  return left.map(({ path }): Problem => {
    const at = path.findLastIndex((step) => typeof step === "string");
    const message = `${path[at] ?? "the document"} still has the placeholder ${placeholder}`;
    const { description = "The value.", note } = schemaAt(definitionSchema(), path.slice(0, at + 1)) ?? {};
    const meaning = description.charAt(0).toLowerCase() + description.slice(1, -1);
    const hint = `replace it with ${meaning}${note ? `; ${note}` : ""}`;
    return { code: "placeholder", message, hint, path, within: placeholder };
  });
}

export function defaultLoadOptions(): LoadOptions {
  const catalog: Catalog = { file: ".incident.yaml", services: new Map(), diagnostics: [] };
  const variables = { values: new Map(), used: new Set<string>() };
  return { variables, catalog, checkDeadline: () => undefined };
}

const templateInstead = {
  message: "this file is a template, not a definition",
  hint: "move it to the folder of templates, and declare it with incident create --template NAME",
};

const noDefinition = {
  message: "this file contains no definition",
  hint: "write at least name, severity, services and incidentUpdates",
};

const sameId = {
  message: "an entry before this one has the same id",
  hint: "remove the id or the entry, or write another id",
};

const bodyTooLarge = {
  message: `with this, the incident is larger than 1 MiB of JSON (${maxBodySize} bytes)`,
  hint: "shorten the texts, and look at what the variables and aliases repeat",
};
