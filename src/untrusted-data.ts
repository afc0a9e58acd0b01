// Reads untrusted data: fields, because an object also inherits names such as `constructor`, and text that may be malformed.
import { tryTo } from "./failure.ts";

/** The object's own value of this name; undefined for a name that only its prototype has. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string | number): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The own field of a value of any type; undefined for a value that has no fields. */
export function fieldOf(value: unknown, name: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return ownValue(value as Readonly<Record<string, unknown>>, name);
}

/** A mapping: an object that is no list. */
export type Fields = Readonly<Record<string, unknown>>;

export function isMapping(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields that have a value. */
export function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The entries of a list; none of another value. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return tryTo(() => decoder.decode(bytes));
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  return tryTo(() => JSON.parse(text));
}

/** The text without `%XX`; undefined where that is malformed. */
export function decodePercent(text: string): string | undefined {
  return tryTo(() => decodeURIComponent(text));
}
