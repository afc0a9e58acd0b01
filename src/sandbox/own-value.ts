// Reads a field by a name from outside. A plain object also has the names of its prototype, such as `constructor`.

/** The object's own value of this name. The sandbox shares no code with the client. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
