// Templates: files of two documents, the variables and a definition that uses them. Reads one, checks it for every value
// of its enumerations, and fills it.
import type { Diagnostic, DiagnosticCode, DiagnosticMessage, Locate, Location } from "../../diagnostic.ts";
import { isTemplate, type TemplateVariables, valueError } from "../../incident/template.ts";
import { type TemplateVariable, templateRules } from "../../incident/template-rules.ts";
import type { CompilePattern } from "../../rules/patterns.ts";
import { quote } from "../../rules/quote.ts";
import { checkValue } from "../check.ts";
import { decodeText, diagnosticAt } from "../decode.ts";
import { checkDefinition, type LoadOptions } from "../definitions.ts";
import { parseDocuments, type SourceDocument } from "../documents.ts";
import type { Source } from "../read-source.ts";
import { replaceVariables, variableName } from "../variables/replace-variables.ts";
import { createFit } from "./fit-values.ts";

export interface Template {
  readonly file: string;
  readonly variables: TemplateVariables;
  /** The definition before its variables are replaced. */
  readonly document: SourceDocument;
}

export interface ReadTemplate {
  /** Undefined if the file has no usable form. */
  readonly template: Template | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a file is a template, by its first document. */
export function isTemplateSource(source: Source): boolean {
  const decoded = decodeText(source);
  return "text" in decoded && isTemplate(parseDocuments(decoded.text, source.file).documents[0]?.value);
}

/** Reads a template, and checks its variables. */
export function readTemplate(source: Source, compilePattern: CompilePattern): ReadTemplate {
  const { file } = source;
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) return { template: undefined, diagnostics: [decoded.diagnostic] };
  const { text } = decoded;
  const { documents, diagnostics } = parseDocuments(text, file);
  if (diagnostics.length > 0) return { template: undefined, diagnostics };
  const [head, document, third] = documents;
  if (head === undefined || document === undefined || !isTemplate(head.value)) {
    return {
      template: undefined,
      diagnostics: [diagnosticAt("no-definition", notATemplate, text, file, 0)],
    };
  }
  const checked = checkValue(templateRules, head.value, head.locate);
  if (checked.value === undefined) return { template: undefined, diagnostics: checked.diagnostics };
  const variables = new Map(
    Object.entries(checked.value.variables).map(([name, variable]) => [name, variable ?? {}]),
  );
  const extra = third === undefined ? [] : [errorAt("no-definition", tooManyDocuments, third.locate([]))];
  const found = [...variables].flatMap(([name, variable]) =>
    variableErrors(name, variable, head.locate, compilePattern),
  );
  const unused = unusedVariables({ file, variables, document }, head.locate);
  return { template: { file, variables, document }, diagnostics: [...found, ...unused, ...extra] };
}

function variableErrors(
  name: string,
  variable: TemplateVariable,
  locate: Locate,
  compilePattern: CompilePattern,
): readonly Diagnostic[] {
  const at = (...path: string[]) => locate(["variables", name, ...path]);
  const { default: fallback, pattern } = variable;
  if (!variableName.test(name)) {
    const hint = "a name starts with a letter and holds letters, digits, _, - and .";
    const message = `${quote(name)} cannot be the name of a variable`;
    return [errorAt("bad-variable", { message, hint }, locate(["variables", name], "key"))];
  }
  if (pattern !== undefined && compilePattern(pattern) === undefined) {
    const message = `${quote(pattern)} is not a pattern that can be used`;
    const hint = "write a regular expression without lookaround and back references";
    return [errorAt("bad-pattern", { message, hint }, at("pattern"))];
  }
  const error = fallback === undefined ? undefined : valueError(variable, fallback, compilePattern);
  if (error === undefined) return [];
  const hint = "change the default, or the rule";
  return [errorAt("bad-default", { message: `the default of ${name} ${error}`, hint }, at("default"))];
}

function unusedVariables({ variables, document }: Template, locate: Locate): readonly Diagnostic[] {
  const used = new Set<string>();
  replaceVariables(document.value, { values: new Map(), declared: new Set(), used }, document.locate);
  return [...variables.keys()]
    .filter((name) => !used.has(name))
    .map((name) =>
      errorAt(
        "unused-variable",
        {
          message: `the definition does not use the variable ${name}`,
          hint: `use \${${name}}, or remove it`,
        },
        locate(["variables", name], "key"),
      ),
    );
}

/** The most combinations of enumerated values that one check tries. */
const maxCombinations = 256;

/** Checks the definition for every combination of enumerated values, at most `maxCombinations`. */
export function checkTemplate(template: Template, loadOptions: LoadOptions): readonly Diagnostic[] {
  const found = new Map<
    string,
    { readonly diagnostic: Diagnostic; readonly values: string; count: number }
  >();
  let combinations = 0;
  for (const chosen of combinationsOf(template.variables)) {
    combinations += 1;
    for (const diagnostic of checkWith(template, chosen, loadOptions)) {
      const { code, location, message } = diagnostic;
      const key = JSON.stringify([code, location.start, message]);
      const before = found.get(key);
      if (before !== undefined) before.count += 1;
      else found.set(key, { diagnostic, values: describeValues(chosen), count: 1 });
    }
  }
  return [...found.values()].map(({ diagnostic, values, count }) =>
    count === combinations ? diagnostic : { ...diagnostic, message: `${diagnostic.message}, with ${values}` },
  );
}

/** The definition with values that are not known yet decides nothing about the texts that they are in. */
function checkWith(
  { variables, document }: Template,
  chosen: ReadonlyMap<string, string>,
  loadOptions: LoadOptions,
): readonly Diagnostic[] {
  const values = new Map(chosen);
  for (const [name, { default: fallback }] of variables)
    if (fallback !== undefined && !chosen.has(name)) values.set(name, fallback);
  const declared = new Set(variables.keys());
  return checkDefinition(
    document.value,
    { ...loadOptions, variables: { values, declared, used: new Set(), fit: createFit(variables) } },
    document.locate,
  ).diagnostics;
}

function* combinationsOf(variables: TemplateVariables): Generator<ReadonlyMap<string, string>> {
  const choices = [...variables].flatMap(([name, { enum: allowed }]) =>
    allowed === undefined ? [] : [{ name, allowed }],
  );
  const total = choices.reduce((product, { allowed }) => product * allowed.length, 1);
  for (let index = 0; index < Math.min(total, maxCombinations); index += 1) {
    let rest = index;
    const values = choices.map(({ name, allowed }) => {
      const value = allowed[rest % allowed.length] ?? "";
      rest = Math.floor(rest / allowed.length);
      return [name, value] as const;
    });
    yield new Map(values);
  }
}

function describeValues(values: ReadonlyMap<string, string>): string {
  return [...values].map(([name, value]) => `${name}=${value}`).join(" ");
}

function errorAt(code: DiagnosticCode, message: DiagnosticMessage, location: Location): Diagnostic {
  return { code, level: "error", ...message, location };
}

const notATemplate: DiagnosticMessage = {
  message: "a template has two documents: variables, and a definition that uses them",
  hint: "write variables: first, then a line with ---, then the definition",
};

const tooManyDocuments: DiagnosticMessage = {
  message: "a template has two documents, and here a third one starts",
  hint: "write a file for each template",
};
