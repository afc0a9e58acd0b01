// Fills a text of the first document of a template, which has been checked, with names of the input.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { reference, type VariableValues } from "../variables/replace-variables.ts";

type Input = Pick<VariableValues, "get">;

/** An input without names: each reference in a text gets its default. */
export const noInput: Input = { get: () => undefined };

/** An empty value counts as missing, as for a variable. `missing`: the names without a value and a default. */
export function fillText(
  text: string,
  given: Input,
  used: Set<string> = new Set(),
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const filled = text.replace(reference, (match, name?: string, fallback?: string) => {
    if (name === undefined) return match === "$${" ? "${" : match;
    used.add(name);
    const value = given.get(name) || fallback;
    if (value === undefined) missing.add(name);
    return value ?? match;
  });
  return { text: filled, missing: [...missing] };
}
