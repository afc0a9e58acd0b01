// The messages for violations of a schema: the error with the quoted value, and the correction.
import type { DiagnosticMessage, ViolationCode } from "../diagnostic.ts";
import { codePointLength, withSuggestion } from "../incident/rules.ts";

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
  /** The values of an enumeration. */
  readonly allowed: readonly string[];
  readonly example: unknown;
  /** The maximum length of a string, in characters. */
  readonly maxLength: number | undefined;
  /** The name or the value that the author probably meant. */
  readonly suggestion?: string | undefined;
}

const kindNames = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  nothing: "empty",
  list: "a list",
  mapping: "a mapping",
} satisfies Record<Kind, string>;

export const violationMessages = {
  "wrong-type": (details) => ({ message: wrongTypeMessage(details), hint: wrongTypeHint(details) }),
  "unknown-field": ({ name, fields, suggestion }) => ({
    message: `${quote(name)} is not a field here`,
    hint:
      name === "<<"
        ? "write the fields out: YAML 1.2 has no merge keys"
        : unknownFieldHint(name, withSuggestion(`write one of ${fields.join(", ")}`, suggestion)),
  }),
  "missing-field": ({ name, example }) => ({
    message: `${name} is missing`,
    hint: `add it, for example ${name}: ${flow(example)}`,
  }),
  "unknown-severity": (details) => unknownValue(details, "a severity"),
  "unknown-status": (details) => unknownValue(details, "a status"),
  "unknown-value": (details) => unknownValue(details, "a value of this field"),
  "name-too-long": ({ name, value, maxLength }) => ({
    message: `${name} has ${codePointLength(String(value))} characters`,
    hint: maxLength === undefined ? "shorten it" : `shorten it to at most ${maxLength} characters`,
  }),
  "blank-text": ({ name, value, example }) => ({
    message: `${name} is blank: ${quote(value)}`,
    hint: `write what customers should read, for example ${flow(example)}`,
  }),
  "empty-list": ({ name, example }) => ({
    message: `${name} is an empty list`,
    hint: `write at least one entry, for example ${flow(example)}`,
  }),
  "not-a-guid": ({ value }) => ({
    message: `${quote(value)} is not a GUID`,
    hint: "write 8-4-4-4-12 hexadecimal digits, for example 7c9e6679-7425-40de-944b-e07fc1f90ae7",
  }),
  "not-a-date": ({ value }) => ({
    message: `${quote(value)} is not a valid date`,
    hint: "write year-month-day, for example 2026-03-01",
  }),
  "not-a-date-time": ({ value }) => ({
    message: `${quote(value)} is not a date and time with an offset`,
    hint: "write ISO 8601, for example 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00",
  }),
  "not-a-whole-number": ({ value }) => ({
    message: `${quote(value)} is ${typeof value === "bigint" ? "too large a number" : "not a whole number"}`,
    hint: `write digits only, up to ${Number.MAX_SAFE_INTEGER}`,
  }),
} satisfies Record<ViolationCode, (details: ViolationDetails) => DiagnosticMessage>;

export function isViolationCode(code: string): code is ViolationCode {
  return Object.hasOwn(violationMessages, code);
}

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "mapping";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "text" : "number";
}

function wrongTypeMessage({ name, value, expected = "text" }: ViolationDetails): string {
  const kind = kindOf(value);
  if (kind === "nothing") return `${name} is empty`;
  const subject = kind === "list" || kind === "mapping" ? name : quote(value);
  return `${subject} is ${kindNames[kind]}, not ${kindNames[expected]}`;
}

function wrongTypeHint({
  value,
  expected = "text",
  fields,
  requiredFields,
  example,
}: ViolationDetails): string {
  switch (expected) {
    case "text":
      if (["number", "boolean"].includes(kindOf(value))) return "put it in quotes to make it text";
      return example === undefined ? "write text here" : `write text here, for example ${flow(example)}`;
    case "number":
      return "write digits, without quotes";
    case "boolean":
      if (withoutTypographicQuotes(value) !== undefined) return typographicQuotesHint(value);
      return "write true or false, without quotes: yes and no are text in YAML 1.2";
    case "list":
      if (typeof value === "string" && /^-\S/.test(value)) {
        return `put a space after the "-" of each entry: "- ${cutWord(value.slice(1))}"`;
      }
      return 'write a list: each entry on a line of its own, after "- "';
    case "mapping": {
      const unspaced = typeof value === "string" ? /^([\p{L}_]+):\S/u.exec(value)?.[1] : undefined;
      if (unspaced !== undefined && fields.includes(unspaced)) {
        return `put a space after the colon: "${unspaced}: …"`;
      }
      if (fields.length === 0) return 'write each entry on a line of its own, as in "name: value"';
      return `write its fields, each on a line of its own: ${(requiredFields.length > 0 ? requiredFields : fields).join(", ")}`;
    }
    case "nothing":
      return "leave it empty";
  }
}

function unknownValue({ value, allowed, suggestion }: ViolationDetails, kind: string): DiagnosticMessage {
  const unquoted = withoutTypographicQuotes(value);
  if (unquoted !== undefined && allowed.includes(unquoted.toUpperCase())) {
    return {
      message: `${quote(value)} is not ${kind}: its typographic quotes are part of the value`,
      hint: typographicQuotesHint(value),
    };
  }
  return {
    message: `${quote(value)} is not ${kind}`,
    hint: withSuggestion(`write one of ${allowed.join(", ")}`, suggestion),
  };
}

/** No field has a space in its name, so the line is probably the rest of a text. */
function unknownFieldHint(name: string, hint: string): string {
  return name.includes(" ")
    ? `if the line continues the text above, indent it further than its field; if it is a field, ${hint}`
    : hint;
}

/** The text inside of the quotes that editors of documents write. YAML does not treat them as quotes. */
export function withoutTypographicQuotes(value: unknown): string | undefined {
  return typeof value === "string" ? /^[“”„‘’‚«»](.*)[“”‘’«»]$/.exec(value)?.[1] : undefined;
}

function typographicQuotesHint(value: unknown): string {
  return `remove the quotes: ${withoutTypographicQuotes(value)}`;
}

function cutWord(text: string): string {
  return text.trim().split(/\s/, 1)[0] ?? "";
}

/** The value for a message: shortened, and a string in quotes. The view escapes it. */
export function quote(value: unknown): string {
  const text = String(value);
  const points = [...text.slice(0, 2 * maxQuoteLength)].slice(0, maxQuoteLength).join("");
  const shown = points.length < text.length ? `${points}…` : text;
  return typeof value === "string" ? `"${shown}"` : shown;
}

const maxQuoteLength = 60;

/** An example in flow style: one line of YAML. */
function flow(example: unknown): string {
  if (Array.isArray(example)) return `[${example.map(flow).join(", ")}]`;
  if (typeof example === "object" && example !== null) {
    return `{${Object.entries(example)
      .map(([name, value]) => `${name}: ${flow(value)}`)
      .join(", ")}}`;
  }
  return String(example);
}
