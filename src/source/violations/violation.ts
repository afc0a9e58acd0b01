// A violation of a schema as the messages need it, and the parts of messages: quoted values, examples and forms.

/** The type of a YAML value. */
export type Kind = "text" | "number" | "boolean" | "nothing" | "list" | "mapping";

/** The value that violates the schema, and the facts of the schema that the messages need. */
export interface ViolationDetails {
  /** The name in messages: of a field, an entry of a list, or the document. */
  readonly name: string;
  readonly value: unknown;
  readonly expected: Kind | undefined;
  /** The fields of a mapping. */
  readonly fields: readonly string[];
  readonly requiredFields: readonly string[];
  /** The fields of the mappings in a list. */
  readonly entryFields: readonly string[];
  readonly requiredEntryFields: readonly string[];
  /** The values of an enumeration. */
  readonly allowed: readonly string[];
  /** The format of a string, with the names of JSON Schema, such as `uuid`. */
  readonly format: string | undefined;
  readonly example: unknown;
  /** The maximum length of a string, in characters. */
  readonly maxLength: number | undefined;
  /** The name or the value that the author probably meant. */
  readonly suggestion?: string | undefined;
  /** Whether an unknown field has no colon, as in `{ description: Hello, world }`. */
  readonly isBare?: boolean;
  /** Where an unknown field belongs: the name of a list, and of the field of its entries. */
  readonly owner?: { readonly list: string; readonly field: string } | undefined;
}

/** The forms of texts, by their format in JSON Schema. */
export const formHints = {
  uuid: "write 8-4-4-4-12 hexadecimal digits, for example 7c9e6679-7425-40de-944b-e07fc1f90ae7",
  date: "write year-month-day, for example 2026-03-01",
  "date-time": "write ISO 8601, for example 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00",
} as const;

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "mapping";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "text" : "number";
}

/** The text inside of the quotes that editors of documents write. YAML does not treat them as quotes. */
export function withoutTypographicQuotes(value: unknown): string | undefined {
  return typeof value === "string" ? /^[“”„‘’‚«»](.*)[“”‘’«»]$/.exec(value)?.[1] : undefined;
}

export function typographicQuotesHint(value: unknown): string {
  return `remove the quotes: ${withoutTypographicQuotes(value)}`;
}

/** The value for a message: shortened, and a string in quotes. The view escapes it. */
export function quote(value: unknown): string {
  const shown = cut(String(value));
  return typeof value === "string" ? `"${shown}"` : shown;
}

export function cut(text: string): string {
  const points = [...text.slice(0, 2 * maxQuoteLength)].slice(0, maxQuoteLength).join("");
  return points.length < text.length ? `${points}…` : text;
}

const maxQuoteLength = 60;

/** An example in flow style: one line of YAML. */
export function flow(example: unknown): string {
  if (Array.isArray(example)) return `[${example.map(flow).join(", ")}]`;
  if (typeof example === "object" && example !== null) {
    return `{${Object.entries(example)
      .map(([name, value]) => `${name}: ${flow(value)}`)
      .join(", ")}}`;
  }
  return String(example);
}
