// Checks the definition of a template for every combination of the texts that its variables can write.
import type { Diagnostic } from "../../diagnostic.ts";
import { type TemplateVariables, writtenTexts } from "../../incident/template.ts";
import type { LoadOptions } from "../definitions.ts";
import { mapTexts } from "../variables/replace-variables.ts";
import { fillTemplate } from "./fill-template.ts";
import type { Template } from "./read-template.ts";

/** The most combinations of texts that one check tries. */
const maxCombinations = 256;

/** Steps to check a value of the definition. */
const stepsOfValue = 300;

function countValues(value: unknown): number {
  let count = 0;
  mapTexts(value, (text) => {
    count += 1 + Math.ceil(text.length / 100);
    return text;
  });
  return count;
}

/** Checks the definition for every combination of the texts that the variables can write, at most `maxCombinations`. */
export function checkTemplate(template: Template, loadOptions: LoadOptions): readonly Diagnostic[] {
  const found = new Map<
    string,
    { readonly diagnostic: Diagnostic; readonly values: string; count: number }
  >();
  let combinations = 0;
  const steps = stepsOfValue * countValues(template.document.value);
  for (const chosen of combinationsOf(template.variables)) {
    combinations += 1;
    loadOptions.spend(steps);
    for (const diagnostic of checkWith(template, chosen, loadOptions)) {
      const { code, location, message } = diagnostic;
      const key = JSON.stringify([code, location.start, message]);
      const before = found.get(key);
      if (before !== undefined) before.count += 1;
      else
        found.set(key, {
          diagnostic,
          values: [...chosen].map(([name, value]) => `${name}=${value}`).join(" "),
          count: 1,
        });
    }
  }
  return [...found.values()].map(({ diagnostic, values, count }) =>
    count === combinations ? diagnostic : { ...diagnostic, message: `${diagnostic.message}, with ${values}` },
  );
}

/** The definition with values that are not known yet decides nothing about the texts that they are in. */
function checkWith(
  template: Template,
  chosen: ReadonlyMap<string, string>,
  loadOptions: LoadOptions,
): readonly Diagnostic[] {
  const values = new Map(chosen);
  for (const [name, { default: fallback }] of template.variables)
    if (fallback !== undefined && !chosen.has(name)) values.set(name, fallback);
  const variables = { values, used: new Set<string>() };
  const { diagnostics, warnings } = fillTemplate(template, values, { ...loadOptions, variables });
  return [...diagnostics, ...warnings];
}

/** The known texts of the variables. */
function* combinationsOf(variables: TemplateVariables): Generator<ReadonlyMap<string, string>> {
  const choices = [...variables].flatMap(([name, variable]) => {
    const allowed = writtenTexts(variable);
    return allowed === undefined ? [] : [{ name, allowed: [...new Set(allowed)] }];
  });
  const total = choices.reduce((product, { allowed }) => product * allowed.length, 1);
  for (let index = 0; index < Math.min(total, maxCombinations); index += 1) {
    let rest = index;
    const values = new Map<string, string>();
    for (const { name, allowed } of choices) {
      const value = allowed[rest % allowed.length];
      rest = Math.floor(rest / allowed.length);
      if (value !== undefined) values.set(name, value);
    }
    yield values;
  }
}
