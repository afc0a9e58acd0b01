// Reads a field by a name from outside. A plain object also has the names of its prototype, such as `constructor`.

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

/** The entries of a list; none of another value. */
export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
