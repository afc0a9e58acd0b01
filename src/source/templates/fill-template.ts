// Fills a template: chooses the value of each variable, and checks the definition with them.
import type { Diagnostic } from "../../diagnostic.ts";
import { describeLeak, findLeaks, redact } from "../../incident/leaks.ts";
import {
  isAlertRule,
  isRequired,
  maxLengthOf,
  shorten,
  type TemplateVariables,
  truncate,
  valueError,
  writtenFor,
  writtenTexts,
} from "../../incident/template.ts";
import type { TemplateVariable } from "../../incident/template-rules.ts";
import { maxNameLength } from "../../incident/values.ts";
import { quote } from "../../rules/quote.ts";
import { codePointLength } from "../../text/lengths.ts";
import { checkDefinition, type LoadOptions, type LocatedDefinition } from "../definitions.ts";
import { isName, oneLine, type Variables, type VariableValues } from "../variables/replace-variables.ts";
import { fillText, noInput } from "./fill-text.ts";
import type { Template } from "./read-template.ts";

/** A name is one line, and values that may be cut keep it within its limit. */
function createFit(variables: TemplateVariables): NonNullable<Variables["fit"]> {
  return (path, text, fill) => {
    if (!isName(path)) return text;
    const cuttable = new Map<string, string>();
    const counts = new Map<string, number>();
    const line = fill((name, value) => {
      const joined = oneLine(value);
      if (variables.get(name)?.truncate) cuttable.set(name, joined);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return joined;
    });
    const excess = codePointLength(line) - maxNameLength;
    if (excess <= 0 || cuttable.size === 0) return line;
    const shorter = shorten(cuttable, counts, excess);
    return fill((name, value) => shorter.get(name) ?? oneLine(value));
  };
}

/** The value of each variable, or the reasons why there is none. */
export type TemplateValues =
  | { readonly values: ReadonlyMap<string, string>; readonly warnings: readonly string[] }
  | { readonly missing: readonly string[]; readonly errors: readonly string[] };

/**
 * Takes the values that the variables need from `given`. Each error starts with the name of its variable. No value of an
 * alert is an error where the variable has another text to write.
 */
export function chooseValues(template: Template, given: VariableValues): TemplateValues {
  const { variables } = template;
  const values = new Map<string, string>();
  const missing: string[] = [];
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const [name, variable] of variables) {
    const value = given.get(name);
    let written = value === undefined ? undefined : writtenFor(variable, value);
    if (written === undefined && variable.otherwise !== undefined) {
      const filled = fillText(variable.otherwise, template, given);
      missing.push(...filled.missing);
      if (filled.missing.length > 0) continue;
      written = filled.text;
    } else if (value === undefined || (value === "" && (written === undefined || isRequired(variable)))) {
      if (isRequired(variable)) missing.push(name);
      else values.set(name, variable.default ?? "");
      continue;
    } else if (written === undefined) {
      errors.push(`${name} is ${quote(value)}, which is not in its values, and it has no otherwise`);
      continue;
    }
    const fit = fitValue(template, name, written, given);
    values.set(name, fit.text);
    if ("error" in fit) errors.push(`${name} ${fit.error}`);
    if (fit.warning !== undefined) warnings.push(fit.warning);
  }
  return missing.length + errors.length === 0 ? { values, warnings } : { missing, errors };
}

/** In an alert rule, a value that does not fit is cut, or another text stands in its place. */
function fitValue(
  template: Template,
  name: string,
  written: string,
  given: VariableValues,
):
  | { readonly text: string; readonly warning?: string }
  | { readonly text: string; readonly error: string; readonly warning?: undefined } {
  const { allowsLeaks, compilePattern, spend, variables } = template;
  const variable = variables.get(name) ?? {};
  spend(written.length);
  const error = valueError(variable, written, compilePattern);
  const cut = truncate(written, maxLengthOf(variable));
  if (!isAlertRule(template))
    return error === undefined ? { text: variable.truncate ? cut : written } : { text: written, error };
  const [leak] = allowsLeaks || isOwnText(variable, written) ? [] : findLeaks(written);
  const cutError = valueError(variable, cut, compilePattern);
  if (leak === undefined && cutError === undefined) {
    const isTold = error !== undefined && !variable.truncate;
    const warning = `the variable ${name} has ${codePointLength(written)} characters: it is cut`;
    return { text: cut, ...(isTold && { warning }) };
  }
  // Without any other text, `when` allows only values that fit.
  const fallback = fallbackFor(template, variable, given) ?? redact(cut);
  const why = leak === undefined ? error : `has ${describeLeak(leak)}`;
  const code = leak === undefined ? "" : " [leak]";
  return {
    text: fallback,
    warning: `the variable ${name} ${why}: ${quote(fallback)} stands in its place${code}`,
  };
}

/** Whether a person wrote the text into the template. */
function isOwnText({ default: fallback, otherwise, values = {} }: TemplateVariable, text: string): boolean {
  return [fallback, otherwise, ...Object.values(values)].includes(text);
}

/** The text in the place of a value that does not fit; undefined where there is none that fits. */
function fallbackFor(
  template: Template,
  variable: TemplateVariable,
  given: VariableValues,
): string | undefined {
  const { allowsLeaks, compilePattern } = template;
  if (variable.otherwise === undefined) return variable.default ?? (isRequired(variable) ? undefined : "");
  for (const source of [given, noInput]) {
    const { missing, text } = fillText(variable.otherwise, template, source);
    const cut = truncate(text, maxLengthOf(variable));
    const isSafe = allowsLeaks || source === noInput || findLeaks(cut).length === 0;
    if (missing.length === 0 && isSafe && valueError(variable, cut, compilePattern) === undefined) return cut;
  }
  return undefined;
}

/** The definition with the values, which `chooseValues` has checked. */
export function fillTemplate(
  { file, variables, document }: Template,
  values: ReadonlyMap<string, string>,
  loadOptions: LoadOptions,
): {
  readonly definition: LocatedDefinition | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
} {
  const { used } = loadOptions.variables;
  const { value, diagnostics, warnings } = checkDefinition(
    document.value,
    {
      ...loadOptions,
      variables: { values, declared: new Set(variables.keys()), used, fit: createFit(variables) },
    },
    document.locate,
  );
  const { locate } = document;
  const definition = value && { definition: value, file, document: 1, documents: 1, locate };
  return { definition, diagnostics, warnings };
}

/**
 * The definition with the values that are known; the first text that the variable can write, or its own name in angle
 * brackets, stands for any other.
 */
export function previewTemplate(template: Template, loadOptions: LoadOptions) {
  const given = loadOptions.variables.values;
  const values = new Map(
    [...template.variables].map(([name, variable]) => {
      const value = given.get(name);
      const written = value === undefined ? variable.default : writtenFor(variable, value);
      return [name, written ?? writtenTexts(variable)?.find((text) => text) ?? `<${name}>`];
    }),
  );
  return fillTemplate(template, values, loadOptions);
}
