// Parts of messages: the kind of a value, quoted values, and examples.

export type Kind = "text" | "number" | "boolean" | "nothing" | "list" | "mapping";

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "mapping";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "text" : "number";
}

export const kindNames = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  nothing: "empty",
  list: "a list",
  mapping: "a mapping",
} as const satisfies Record<Kind, string>;

/** The text inside of the quotes that editors of documents write. YAML does not treat them as quotes. */
export function withoutTypographicQuotes(value: unknown): string | undefined {
  return typeof value === "string" ? /^[“”„‘’‚«»](.*)[“”‘’«»]$/.exec(value)?.[1] : undefined;
}

export function typographicQuotesHint(value: unknown): string {
  return `remove the quotes: ${withoutTypographicQuotes(value)}`;
}

/** The value for a message: shortened, and a string in quotes. The view escapes it. */
export function quote(value: unknown): string {
  if (typeof value === "object" && value !== null) return kindNames[kindOf(value)];
  const shown = cut(String(value));
  return typeof value === "string" ? `"${shown}"` : shown;
}

export function cut(text: string): string {
  const points = [...text.slice(0, 2 * maxQuoteLength)].slice(0, maxQuoteLength).join("");
  return points.length < text.length ? `${points}…` : text;
}

const maxQuoteLength = 60;

export function flow(example: unknown): string {
  if (Array.isArray(example)) return `[${example.map(flow).join(", ")}]`;
  if (typeof example === "object" && example !== null) {
    return `{${Object.entries(example)
      .map(([name, value]) => `${name}: ${flow(value)}`)
      .join(", ")}}`;
  }
  return String(example);
}
