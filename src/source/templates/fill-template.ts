// Fills a template: chooses the value of each variable, and checks the definition with them.
import type { Diagnostic } from "../../diagnostic.ts";
import {
  isRequired,
  maxLengthOf,
  type TemplateVariables,
  truncate,
  valueError,
} from "../../incident/template.ts";
import type { CompilePattern } from "../../rules/patterns.ts";
import { checkDefinition, type LoadOptions, type LocatedDefinition } from "../definitions.ts";
import type { VariableValues } from "../variables/replace-variables.ts";
import { createFit } from "./fit-values.ts";
import type { Template } from "./read-template.ts";

/** The value of each variable, or the reasons why there is none. */
export type TemplateValues =
  | { readonly values: ReadonlyMap<string, string> }
  | { readonly missing: readonly string[]; readonly errors: readonly string[] };

/** Takes the values that the variables need from `given`. Each error starts with the name of its variable. */
export function chooseValues(
  variables: TemplateVariables,
  given: VariableValues,
  compilePattern: CompilePattern,
): TemplateValues {
  const values = new Map<string, string>();
  const missing: string[] = [];
  const errors: string[] = [];
  for (const [name, variable] of variables) {
    const value = given.get(name);
    if (value === undefined || (value === "" && isRequired(variable))) {
      if (isRequired(variable)) missing.push(name);
      else values.set(name, variable.default ?? "");
      continue;
    }
    const error = valueError(variable, value, compilePattern);
    if (error === undefined)
      values.set(name, variable.truncate ? truncate(value, maxLengthOf(variable)) : value);
    else errors.push(`${name} ${error}`);
  }
  return missing.length + errors.length === 0 ? { values } : { missing, errors };
}

/** The definition with the values, which `chooseValues` has checked. */
export function fillTemplate(
  { file, variables, document }: Template,
  values: ReadonlyMap<string, string>,
  loadOptions: LoadOptions,
): { readonly definition: LocatedDefinition | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const { used } = loadOptions.variables;
  const { value, diagnostics } = checkDefinition(
    document.value,
    {
      ...loadOptions,
      variables: { values, declared: new Set(variables.keys()), used, fit: createFit(variables) },
    },
    document.locate,
  );
  const { locate } = document;
  const definition = value && { definition: value, file, document: 1, documents: 1, locate };
  return { definition, diagnostics };
}

/**
 * The definition with the values that are known; the first value of an enumeration or the variable's own name in angle
 * brackets stands for any other.
 */
export function previewTemplate(template: Template, loadOptions: LoadOptions) {
  const given = loadOptions.variables.values;
  const values = new Map(
    [...template.variables].map(([name, { default: fallback, enum: allowed = [] }]) => [
      name,
      given.get(name) ?? fallback ?? allowed[0] ?? `<${name}>`,
    ]),
  );
  return fillTemplate(template, values, loadOptions);
}
