// Parts of messages: the names of types, quoted values, and examples.
import { cutText } from "../text/lengths.ts";

export type ValueType = "string" | "number" | "boolean" | "object" | "array" | "null";

export function typeOfValue(value: unknown): ValueType {
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "array" : (typeof value as ValueType);
}

export const typeNames = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "a mapping",
  array: "a list",
  null: "null",
} as const satisfies Record<ValueType, string>;

/** The value for a message: shortened, and a string in quotes. The view escapes it. */
export function quote(value: unknown): string {
  if (typeof value === "object" && value !== null) return typeNames[typeOfValue(value)];
  const shown = cutText(String(value), 61);
  return typeof value === "string" ? `"${shown}"` : shown;
}

/** The value on one line of YAML. */
export function flow(example: unknown): string {
  return JSON.stringify(example, null, 1)
    .replace(/\n */g, " ")
    .replace(/"|(?<=\[) | (?=\])/g, "");
}
