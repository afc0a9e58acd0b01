// Fills a text of the first document of a template with names of the input.
import type { Location } from "../../diagnostic.ts";
import type { TemplateVariables } from "../../incident/template.ts";
import { replaceVariables, type VariableValues } from "../variables/replace-variables.ts";
import type { Spend } from "../work.ts";

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
  { spend, variables }: { readonly spend: Spend; readonly variables: TemplateVariables },
  given: VariableValues,
  used: Set<string> = new Set(),
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const get = (name: string) => inputValue(variables, given, name) || undefined;
  const filling = { values: { get, keys: () => given.keys() }, used, missing, spend };
  const { value } = replaceVariables(text, filling, () => nowhere);
  return { text: String(value), missing: [...missing] };
}

/** The value that `when`, `dedupKey` and `otherwise` see: as it is in the input. */
export function inputValue(
  variables: TemplateVariables,
  given: Pick<VariableValues, "get">,
  name: string,
): string | undefined {
  return given.get(name) ?? variables.get(name)?.default;
}
