// Checks the definition of a template with the texts of the template itself: what it finds, no input can mend.
import type { Diagnostic, Locate, Path } from "../../diagnostic.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { checkDefinition, type LoadOptions } from "../definitions.ts";
import { escapeVariables, fillText, noInput } from "../variables/replace-variables.ts";
import type { SourceDocument } from "../yaml/read.ts";
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
  const add = (diagnostics: readonly Diagnostic[], suffix: string) => {
    for (const diagnostic of diagnostics) {
      const key = JSON.stringify([diagnostic.code, diagnostic.location.start, diagnostic.message]);
      if (!found.has(key)) found.set(key, { ...diagnostic, message: `${diagnostic.message}${suffix}` });
    }
  };
  add(checkWith(template, last, loadOptions), "");
  for (const [name, text] of others.slice(0, mostTexts))
    add(checkWith(template, new Map(last).set(name, text), loadOptions), `, with ${name}=${text}`);
  return [...found.values()];
}

/** A text whose variable has no text in the template is not checked. */
function checkWith(
  { document, resolve, variables }: Template,
  values: ReadonlyMap<string, string>,
  loadOptions: LoadOptions,
): readonly Diagnostic[] {
  const filling = { values, used: new Set<string>(), declared: new Set(variables.keys()) };
  const { value, locate } = withEnding(document, resolve);
  const { diagnostics, warnings } = checkDefinition(value, { ...loadOptions, variables: filling }, locate);
  return [...diagnostics, ...warnings];
}

/** The definition with the update for the end of the alert as its last one. */
function withEnding({ locate, value }: SourceDocument, resolve: Template["resolve"]) {
  const updates = fieldOf(value, "incidentUpdates");
  if (resolve === undefined || !Array.isArray(updates)) return { locate, value };
  const incidentUpdates = [...updates, escapeVariables(resolve.update)];
  const isEnding = ([field, at]: Path) => field === "incidentUpdates" && at === updates.length;
  const locateAll: Locate = (path, ...rest) => (isEnding(path) ? resolve.location : locate(path, ...rest));
  return { locate: locateAll, value: { ...(value as object), incidentUpdates } };
}
