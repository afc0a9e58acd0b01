// Checks the definition of a template with the texts of the template itself: what it finds, no input can mend.
import type { Diagnostic } from "../../diagnostic.ts";
import { checkDefinition, type LoadOptions } from "../definitions.ts";
import { fillText, noInput } from "./fill-text.ts";
import type { Template } from "./read-template.ts";

/** The most texts of variables that one check tries. */
const mostTexts = 256;

/** Checks the definition with the last text of each variable, and then with each other text of one variable. */
export function checkTemplate(template: Template, loadOptions: LoadOptions): readonly Diagnostic[] {
  const others: (readonly [name: string, text: string])[] = [];
  const last = new Map<string, string>();
  for (const [name, { otherwise, values = {} }] of template.variables) {
    const known = otherwise === undefined ? [] : [fillText(otherwise, noInput).text];
    const [text, ...rest] = new Set([...known, ...Object.values(values)]);
    if (text !== undefined) last.set(name, text);
    others.push(...rest.map((other) => [name, other] as const));
  }
  const found = new Map<string, Diagnostic>();
  const add = (values: ReadonlyMap<string, string>, suffix: string) => {
    for (const diagnostic of checkWith(template, values, loadOptions)) {
      const key = JSON.stringify([diagnostic.code, diagnostic.location.start, diagnostic.message]);
      if (!found.has(key)) found.set(key, { ...diagnostic, message: `${diagnostic.message}${suffix}` });
    }
  };
  add(last, "");
  for (const [name, text] of others.slice(0, mostTexts))
    add(new Map(last).set(name, text), `, with ${name}=${text}`);
  return [...found.values()];
}

/** A text whose variable has no text in the template is not checked. */
function checkWith(
  { document, variables }: Template,
  values: ReadonlyMap<string, string>,
  loadOptions: LoadOptions,
): readonly Diagnostic[] {
  const filling = { values, used: new Set<string>(), declared: new Set(variables.keys()) };
  const { diagnostics, warnings } = checkDefinition(
    document.value,
    { ...loadOptions, variables: filling },
    document.locate,
  );
  return [...diagnostics, ...warnings];
}
