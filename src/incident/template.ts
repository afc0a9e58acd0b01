// The pure rules for the values of a template's variables.

import { isVisible } from "../rules/forms.ts";
import { ownValue } from "../untrusted-data.ts";
import type { TemplateVariable } from "./template-rules.ts";

/** Whether the first document of a file makes the file a template. */
export function isTemplate(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "variables");
}

/** The text of the variable for a value of the input; undefined for one that is blank, or that `values` lacks. */
export function writtenFor({ values }: TemplateVariable, value: string): string | undefined {
  if (values !== undefined) return ownValue(values, value);
  return isVisible(value) ? value : undefined;
}

/** Undefined where every name of `when` has a wanted value. An absent name has "". A `*` at the end stands for any text. */
export function findMismatch(
  when: ReadonlyMap<string, readonly string[]>,
  get: (name: string) => string | undefined,
) {
  for (const [name, wanted] of when) {
    const value = get(name);
    const fits = (text: string) =>
      text.endsWith("*") ? value?.startsWith(text.slice(0, -1)) : text === (value ?? "");
    if (!wanted.some(fits)) return { name, value, wanted };
  }
  return undefined;
}
