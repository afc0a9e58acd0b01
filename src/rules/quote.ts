// Parts of messages: types, counts, quoted values, and examples.
import { cutText } from "../text/lengths.ts";
import { isMapping } from "../untrusted-data.ts";

export type ValueType = "string" | "number" | "boolean" | "object" | "array" | "null";

export function typeOfValue(value: unknown): ValueType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return "object";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "number";
}

export const typeNames = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "a mapping",
  array: "a list",
  null: "null",
} as const satisfies Record<ValueType, string>;

/** The text inside of the quotes that editors of documents write. YAML does not treat them as quotes. */
export function withoutTypographicQuotes(value: unknown): string | undefined {
  return typeof value === "string" ? /^[“”„‘’‚«»](.*)[“”‘’«»]$/.exec(value)?.[1] : undefined;
}

/** The value for a message: shortened, and a string in quotes. The view escapes it. */
export function quote(value: unknown): string {
  if (typeof value === "object" && value !== null) return typeNames[typeOfValue(value)];
  const shown = cutText(String(value), 61);
  return typeof value === "string" ? `"${shown}"` : shown;
}

export function flow(example: unknown): string {
  if (Array.isArray(example)) return `[${example.map(flow).join(", ")}]`;
  if (typeof example === "object" && example !== null) {
    return `{${Object.entries(example)
      .map(([name, value]) => `${name}: ${flow(value)}`)
      .join(", ")}}`;
  }
  return String(example);
}

/** The entries that a mapping stands for: itself, or each of its fields as the two that an entry must have. */
export function writtenEntries(
  value: unknown,
  [key = "", field = ""]: readonly string[],
  isEntry: (value: unknown) => boolean | undefined,
): string | undefined {
  if (!isMapping(value) || Object.keys(value).length === 0) return undefined;
  const pairs = Object.entries(value).map(([name, own]) => ({ [key]: name, [field]: own }));
  const found = [[value], pairs].find((entries) => entries.every(isEntry)) ?? [];
  const texts = found.flatMap((entry) => Object.values(entry).map(String));
  // Another text could need quotes.
  const isPlain = texts.length > 0 && texts.every((text) => /^[\p{L}\d][\p{L}\d ._-]*$/u.test(text));
  return isPlain && flow(found).length <= 200 ? flow(found) : undefined;
}
