// Fills a text of the first document of a template with names of the input.
import type { Location } from "../../diagnostic.ts";
import { replaceVariables, type VariableValues } from "../variables/replace-variables.ts";

/** With it, the defaults in a text are left: the words of the template itself. */
export const noInput: VariableValues = { get: () => undefined, keys: () => [] };

/** The check of the template has found every error in such a text. */
const nowhere: Location = {
  file: "",
  start: { line: 1, column: 1 },
  end: { line: 1, column: 1 },
  source: "",
};

/** A text of the first document, with names of the input. An empty value counts as missing, as for a variable. */
export function fillText(
  text: string,
  given: VariableValues,
  used: Set<string> = new Set(),
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const values = { get: (name: string) => given.get(name) || undefined, keys: () => given.keys() };
  const { value } = replaceVariables(text, { values, used, missing }, () => nowhere);
  return { text: String(value), missing: [...missing] };
}
