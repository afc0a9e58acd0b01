// The words for every violation: one row for each keyword, with the fact about the value, the requirement that it does
// not meet, and the correction.
import type { Path, ViolationCode } from "../diagnostic.ts";
import { codePointLength, cutText } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { formatExamples, formatNames } from "./formats.ts";
import type { Violation } from "./judge.ts";
import { describeTypes, numberNames } from "./list-rules.ts";
import { flow, kindOf, quote, typographicQuotesHint, withoutTypographicQuotes } from "./quote.ts";
import type { RuleKeyword, RuleSchema } from "./rule-schema.ts";
import { exampleOf, expectedKind, fieldsOf, meantField, plainExample } from "./schema-facts.ts";
import { withNote, wrongTypeFact, wrongTypeHint } from "./wrong-type.ts";

export interface ViolationWords {
  readonly code: ViolationCode;
  /** One sentence about the value, for a rule of this tool. */
  readonly fact: string;
  /** Completes "… requires", for a rule of somebody else. */
  readonly requirement: string;
  readonly hint: string;
}

/** `rootName` names the whole value. */
export function wordsFor(violation: Violation, rootName: string): ViolationWords {
  const words = rows[violation.keyword](violation, nameOf(violation.path, rootName), rootName);
  const ownCode = violation.keyword === "required" ? undefined : violation.schema["x-code"];
  return ownCode === undefined || words.code === "wrong-type" ? words : { ...words, code: ownCode };
}

type Row = (violation: Violation, name: string, rootName: string) => ViolationWords;

const rows = {
  type: (violation, name) => {
    const { schema, value } = violation;
    const requirement = `${describeTypes(schema)} as ${name}, not ${quote(value)}`;
    if (expectedKind(schema) === "number" && kindOf(value) === "number") {
      const problem = typeof value === "bigint" ? "too large a number" : "not a whole number";
      const hint = `write digits only, up to ${Number.MAX_SAFE_INTEGER}`;
      return { code: "not-a-whole-number", fact: `${quote(value)} is ${problem}`, requirement, hint };
    }
    const fact = wrongTypeFact(violation, name);
    return { code: "wrong-type", fact, requirement, hint: wrongTypeHint(violation) };
  },
  required: ({ path, schema }, name, rootName) => ({
    code: "missing-field",
    fact: `${name} is missing`,
    requirement: path.length > 1 ? `${name} in ${nameOf(path.slice(0, -1), rootName)}` : name,
    hint: withNote(`add it, for example ${name}: ${flow(exampleOf(schema) ?? plainExample(schema))}`, schema),
  }),
  "no-other-fields": ({ path, schema }, name, rootName) => ({
    code: "unknown-field",
    fact: `${quote(name)} is not a field here`,
    requirement: `that ${name} is left out${path.length > 1 ? ` of ${nameOf(path.slice(0, -1), rootName)}` : ""}`,
    hint: unknownFieldHint(name, schema),
  }),
  enum: ({ schema, value }, name) => {
    const allowed = (schema.enum ?? []).map(String);
    const list = cutText(allowed.join(", "), 200);
    const choices = allowed.length === 1 ? list : `one of ${list}`;
    const noun = schema["x-noun"] ?? "value of this field";
    const unquoted = withoutTypographicQuotes(value);
    const isQuoted = unquoted !== undefined && allowed.includes(unquoted.toUpperCase());
    const reason = isQuoted ? ": its typographic quotes are part of the value" : "";
    const suggestion = typeof value === "string" ? nearest(value, allowed) : undefined;
    return {
      code: "unknown-value",
      fact: `${quote(value)} is not a ${noun}${reason}`,
      requirement: `${choices} as ${name}, not ${quote(value)}`,
      hint: isQuoted ? typographicQuotesHint(value) : withSuggestion(`write ${choices}`, suggestion),
    };
  },
  format: ({ schema, value }, name) => {
    const { format = "x-visible-text" } = schema;
    const [form] = formatNames[format].split(", as ");
    const requirement = `${formatNames[format]} as ${name}, not ${quote(value)}`;
    if (format === "x-visible-text") return { ...blankText(schema, name, value), requirement };
    const [code, kind] = formatCodes.get(format) ?? ["wrong-type", form];
    return {
      code,
      fact: `${quote(value)} is not ${kind}`,
      requirement,
      hint: withNote(formatExamples[format].hint, schema),
    };
  },
  pattern: ({ schema, value }, name) => ({
    code: "wrong-type",
    fact: `${name} does not match ${schema.pattern}: ${quote(value)}`,
    requirement: `that ${name} matches ${schema.pattern}, and ${quote(value)} does not`,
    hint: "change it so that it matches",
  }),
  minLength: (violation, name) => sizeWords(violation, name, "characters"),
  maxLength: (violation, name) => sizeWords(violation, name, "characters"),
  minItems: (violation, name) => sizeWords(violation, name, "entries"),
  maxItems: (violation, name) => sizeWords(violation, name, "entries"),
  minProperties: (violation, name) => sizeWords(violation, name, "fields"),
  maxProperties: (violation, name) => sizeWords(violation, name, "fields"),
  uniqueItems: (_, name) => ({
    code: "wrong-type",
    fact: `${name} has an entry twice`,
    requirement: `that every entry of ${name} is different`,
    hint: "remove the repeated entry",
  }),
  minimum: (violation, name) => numberWords(violation, name, "minimum"),
  maximum: (violation, name) => numberWords(violation, name, "maximum"),
  exclusiveMinimum: (violation, name) => numberWords(violation, name, "exclusiveMinimum"),
  exclusiveMaximum: (violation, name) => numberWords(violation, name, "exclusiveMaximum"),
  multipleOf: (violation, name) => numberWords(violation, name, "multipleOf"),
  anyOf: ({ schema }, name) => formWords(name, schema.anyOf ?? []),
  oneOf: ({ schema }, name) => formWords(name, schema.oneOf ?? []),
  not: (_, name) => ({
    code: "wrong-type",
    fact: `${name} has a form that is not accepted`,
    requirement: `another form of ${name}`,
    hint: "write it in another form",
  }),
} as const satisfies Record<RuleKeyword, Row>;

const formatCodes: ReadonlyMap<string, readonly [ViolationCode, string]> = new Map([
  ["uuid", ["not-a-guid", "a GUID"]],
  ["x-uuid-or-none", ["not-a-guid", "a GUID"]],
  ["date", ["not-a-date", "a valid date"]],
  ["date-time", ["not-a-date-time", "a date and time with an offset"]],
  ["x-iso-date-time", ["not-a-date-time", "a date and time with an offset"]],
]);

function blankText(schema: RuleSchema, name: string, value: unknown) {
  const example = exampleOf(schema);
  const write = `write ${schema["x-noun"] ?? "text here"}`;
  return {
    code: "blank-text",
    fact: `${name} is blank: ${quote(value)}`,
    hint: example === undefined ? write : `${write}, for example ${flow(example)}`,
  } as const;
}

function sizeWords(
  { keyword, schema, value }: Violation,
  name: string,
  unit: "characters" | "entries" | "fields",
): ViolationWords {
  const suffix = { characters: "Length", entries: "Items", fields: "Properties" } as const;
  const [least, most] = [schema[`min${suffix[unit]}`], schema[`max${suffix[unit]}`]];
  const isTooSmall = keyword.startsWith("min");
  const limit = (isTooSmall ? least : most) ?? 0;
  const bound = least === most ? "exactly" : isTooSmall ? "at least" : "at most";
  const count = countOf(value);
  const requirement = `${bound} ${counted(limit, unit)} in ${name}, not ${count}`;
  const fact = `${name} has ${counted(count, unit)}`;
  if (unit === "characters") {
    if (isTooSmall && count === 0) return { ...blankText(schema, name, value), requirement };
    const hint = `${isTooSmall ? "lengthen" : "shorten"} it to ${bound} ${counted(limit, unit)}`;
    return { code: isTooSmall ? "blank-text" : "name-too-long", fact, requirement, hint };
  }
  const hint = `${isTooSmall ? "add" : "remove"} ${counted(Math.abs(limit - count), unit)}`;
  if (unit === "fields" || !isTooSmall || count > 0) return { code: "wrong-type", fact, requirement, hint };
  const example = exampleOf(schema);
  return {
    code: "empty-list",
    fact: `${name} is an empty list`,
    requirement,
    hint:
      limit > 1 || example === undefined ? hint : `write at least one entry, for example ${flow(example)}`,
  };
}

function numberWords({ schema, value }: Violation, name: string, keyword: keyof typeof numberNames) {
  const required = `${numberNames[keyword]} ${schema[keyword]}`;
  return {
    code: "not-a-whole-number",
    fact: `${name} must be ${required}, and is ${quote(value)}`,
    requirement: `${required} as ${name}, not ${quote(value)}`,
    hint: `write ${required}`,
  } as const;
}

function formWords(name: string, forms: readonly RuleSchema[]) {
  const requirement = `one of ${forms.length} forms of ${name}`;
  const fact = `${name} has none of its ${forms.length} forms`;
  return { code: "wrong-type", fact, requirement, hint: "write it in one of the forms" } as const;
}

function unknownFieldHint(name: string, schema: RuleSchema): string {
  if (name === "<<") return "write the fields out: YAML 1.2 has no merge keys";
  const meant = meantField(name, schema);
  if (meant?.list !== undefined) {
    const renamed = meant.field === name ? "" : ` as ${meant.field}`;
    return `it belongs under ${meant.list}: write it${renamed} in an entry of that list`;
  }
  const hint = withSuggestion(`write one of ${fieldsOf(schema).join(", ")}`, meant?.field);
  // No field has a space in its name, so the line is probably the rest of a text.
  return name.includes(" ")
    ? `if the line continues the text above, indent it further than its field; if it is a field, ${hint}`
    : hint;
}

/** `entry 1 of services`, `name`, or the name of the whole value. */
function nameOf(path: Path, rootName: string): string {
  const last = path.at(-1);
  if (last === undefined) return rootName;
  return typeof last === "number" ? `entry ${last + 1} of ${path.at(-2) ?? "the list"}` : last;
}

function countOf(value: unknown): number {
  if (typeof value === "string") return codePointLength(value);
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function counted(count: number, unit: "characters" | "entries" | "fields"): string {
  const one = { characters: "character", entries: "entry", fields: "field" } as const;
  return `${count} ${count === 1 ? one[unit] : unit}`;
}
