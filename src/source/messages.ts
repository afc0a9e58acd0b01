// The sentences for what a schema finds: what is wrong, quoting what was written, and what to write instead.
// In one table, so that every finding speaks the same way.
import type { DiagnosticCode } from "../diagnostic.ts";
import { codePointLength } from "../incident/rules.ts";
import type { Wording } from "./text-errors.ts";

/** What a value is in YAML, as a person would call it. */
export type Kind = "text" | "number" | "boolean" | "nothing" | "list" | "mapping";

/** What can be wrong with a value whose YAML is sound. */
export type RuleCode = Exclude<
  DiagnosticCode,
  | "file-too-large"
  | "not-utf8"
  | "yaml-syntax"
  | "yaml-version"
  | "too-deep"
  | "too-many-aliases"
  | "duplicate-key"
  | "unknown-tag"
  | "no-definition"
  | "unknown-service"
  | "unset-variable"
  | "bad-variable"
  | "not-a-fault"
  | "missing-id"
  | "duplicate-id"
>;

export interface Subject {
  /** What a person would call it: a field's name, an entry of a list, or the document. */
  readonly name: string;
  readonly value: unknown;
  readonly expected: Kind | undefined;
  /** The fields that a mapping can have, and those that it needs. */
  readonly fields: readonly string[];
  readonly needed: readonly string[];
  /** The values of an enumeration. */
  readonly allowed: readonly string[];
  readonly example: unknown;
  /** The most characters that a text can have. */
  readonly longest: number | undefined;
  /** The field's name or the value that was probably meant. */
  readonly meant?: string | undefined;
}

const kindNames = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  nothing: "empty",
  list: "a list",
  mapping: "a mapping",
} satisfies Record<Kind, string>;

export const wordings = {
  "wrong-type": (subject) => ({ message: wrongType(subject), hint: rightType(subject) }),
  "unknown-field": ({ name, fields, meant }) => ({
    message: `${quote(name)} is not a field here`,
    hint:
      name === "<<"
        ? "write the fields out: YAML 1.2 has no merge keys"
        : withGuess(`write one of ${fields.join(", ")}`, meant),
  }),
  "missing-field": ({ name, example }) => ({
    message: `${name} is missing`,
    hint: `add it, for example ${name}: ${flow(example)}`,
  }),
  "unknown-severity": (subject) => unknownValue(subject, "a severity"),
  "unknown-status": (subject) => unknownValue(subject, "a status"),
  "unknown-value": (subject) => unknownValue(subject, "a value of this field"),
  "name-too-long": ({ name, value, longest = 0 }) => ({
    message: `${name} has ${codePointLength(String(value))} characters`,
    hint: `shorten it to at most ${longest} characters`,
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
    message: `${quote(value)} is not a date of the calendar`,
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
} satisfies Record<RuleCode, (subject: Subject) => Wording>;

export function isRuleCode(code: string): code is RuleCode {
  return Object.hasOwn(wordings, code);
}

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "mapping";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "text" : "number";
}

function wrongType({ name, value, expected = "text" }: Subject): string {
  const kind = kindOf(value);
  if (kind === "nothing") return `${name} is empty`;
  const written = kind === "list" || kind === "mapping" ? name : quote(value);
  return `${written} is ${kindNames[kind]}, not ${kindNames[expected]}`;
}

function rightType({ value, expected = "text", fields, needed, example }: Subject): string {
  switch (expected) {
    case "text":
      if (["number", "boolean"].includes(kindOf(value))) return "put it in quotes to make it text";
      return example === undefined ? "write text here" : `write text here, for example ${flow(example)}`;
    case "number":
      return "write digits, without quotes";
    case "boolean":
      return "write true or false, without quotes: yes and no are text in YAML 1.2";
    case "list":
      return 'write a list: each entry on a line of its own, after "- "';
    case "mapping": {
      const glued = typeof value === "string" ? /^([\p{L}_]+):\S/u.exec(value)?.[1] : undefined;
      if (glued !== undefined && fields.includes(glued)) return `put a space after the colon: "${glued}: …"`;
      return `write its fields, each on a line of its own: ${needed.join(", ")}`;
    }
    case "nothing":
      return "leave it empty";
  }
}

function unknownValue({ value, allowed, meant }: Subject, what: string): Wording {
  return {
    message: `${quote(value)} is not ${what}`,
    hint: withGuess(`write one of ${allowed.join(", ")}`, meant),
  };
}

export function withGuess(hint: string, meant: string | undefined): string {
  return meant === undefined ? hint : `${hint}; did you mean ${meant}?`;
}

/** What was written, shortened; text in quotes. Escaping it is left to whoever shows it. */
export function quote(value: unknown): string {
  const text = String(value);
  const points = [...text.slice(0, 2 * longestQuote)].slice(0, longestQuote).join("");
  const shown = points.length < text.length ? `${points}…` : text;
  return typeof value === "string" ? `"${shown}"` : shown;
}

const longestQuote = 60;

/** An example as one line of YAML. */
function flow(example: unknown): string {
  if (Array.isArray(example)) return `[${example.map(flow).join(", ")}]`;
  if (typeof example === "object" && example !== null) {
    return `{${Object.entries(example)
      .map(([name, value]) => `${name}: ${flow(value)}`)
      .join(", ")}}`;
  }
  return String(example);
}
