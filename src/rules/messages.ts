// The words for every violation: one row for each keyword, with the message about the value and the correction.
import type { Diagnostic, Path } from "../diagnostic.ts";
import { codePointLength, countOf, cutText } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { isMapping } from "../untrusted-data.ts";
import { formats, isFreeText } from "./formats.ts";
import { controlIn, isVisible } from "./forms.ts";
import { cut, flow, quote, typeNames, typeOfValue, withoutTypographicQuotes } from "./quote.ts";
import type { RuleKeyword, RuleSchema } from "./rule-schema.ts";
import { exampleOf, expectedType, fieldsOf, meantField, plainExample } from "./schema-facts.ts";
import type { Violation } from "./violations.ts";

type ViolationWords = Pick<Diagnostic, "code" | "message" | "hint">;

/** `rootName` names the whole value. */
export function wordsFor(violation: Violation, rootName: string): ViolationWords {
  const { keyword, path, schema } = violation;
  const name = nameOf(path, rootName);
  const words = rows[keyword](violation, name);
  const ownCode = keyword === "required" ? undefined : schema["x-code"];
  return ownCode === undefined || words.code === "wrong-type" ? words : { ...words, code: ownCode };
}

type Row = (violation: Violation, name: string) => ViolationWords;

const rows = {
  type: (violation, name) => {
    const { schema, value } = violation;
    const [type, expected] = [typeOfValue(value), expectedType(schema)];
    if (type === "number" && expected === "number") {
      const problem = Number.isInteger(value) ? "too large a number" : "not a whole number";
      const hint = `write digits only, up to ${Number.MAX_SAFE_INTEGER}`;
      return { code: "not-a-whole-number", message: `${quote(value)} is ${problem}`, hint };
    }
    const subject = type === "array" || type === "object" ? name : quote(value);
    const message =
      type === "null" ? `${name} is empty` : `${subject} is ${typeNames[type]}, not ${typeNames[expected]}`;
    return { code: "wrong-type", message, hint: typeHints[expected](violation) };
  },
  required: ({ schema }, name) => ({
    code: "missing-field",
    message: `${name} is missing`,
    hint: withNote(`add it, for example ${name}: ${flow(exampleOf(schema) ?? plainExample(schema))}`, schema),
  }),
  "no-other-fields": ({ schema }, name) => ({
    code: "unknown-field",
    message: `${quote(name)} is not a field here`,
    hint: unknownFieldHint(name, schema),
  }),
  enum: ({ schema, value }) => {
    const allowed = (schema.enum ?? []).map(String);
    const list = cutText(allowed.join(", "), 200);
    const choices = allowed.length === 1 ? list : `one of ${list}`;
    const noun = schema["x-noun"] ?? "value of this field";
    const suggestion = typeof value === "string" ? nearest(value, allowed) : undefined;
    return {
      code: "unknown-value",
      message: `${quote(value)} is not a ${noun}`,
      hint: withSuggestion(`write ${choices}`, suggestion),
    };
  },
  format: ({ schema, value }, name) => {
    const { format = "x-visible-text" } = schema;
    if (isFreeText(format))
      return isVisible(String(value)) ? controlWords(name, String(value)) : blankText(schema, name, value);
    const { code, hint: correction, name: kind } = formats[format];
    const hint = withNote(correction, schema);
    if (typeof value !== "string") return { code, message: `${name} is ${quote(value)}, not ${kind}`, hint };
    return { code, message: `${quote(value)} is not ${kind}`, hint };
  },
  minLength: ({ schema, value }, name) => blankText(schema, name, value),
  maxLength: ({ schema: { maxLength = 0 }, value }, name) => ({
    code: "name-too-long",
    message: `${name} has ${countOf(codePointLength(String(value)), "character")}`,
    hint: `shorten it to at most ${countOf(maxLength, "character")}`,
  }),
  minItems: ({ schema }, name) => ({
    code: "empty-list",
    message: `${name} is an empty list`,
    hint: withExample("write at least one entry", schema),
  }),
  minimum: ({ schema: { minimum }, value }, name) => ({
    code: "not-a-whole-number",
    message: `${name} must be at least ${minimum}, and is ${quote(value)}`,
    hint: `write at least ${minimum}`,
  }),
} as const satisfies Record<RuleKeyword, Row>;

function blankText(schema: RuleSchema, name: string, value: unknown) {
  const hint = withExample(`write ${schema["x-noun"] ?? "text here"}`, schema);
  return { code: "blank-text", message: `${name} is blank: ${quote(value)}`, hint } as const;
}

function controlWords(name: string, text: string) {
  const character = controlIn(text) ?? "";
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const isLineBreak = /^[\n\v\f\r\x85\u2028\u2029]$/.test(character);
  return {
    code: "control-character",
    message: `${name} has ${isLineBreak ? "a line break" : `the control character U+${number}`}`,
    hint: isLineBreak ? `write ${name} on one line` : "remove it",
  } as const;
}

function unknownFieldHint(name: string, schema: RuleSchema): string {
  const meant = meantField(name, schema);
  if (meant?.list !== undefined) {
    const renamed = meant.field === name ? "" : ` as ${meant.field}`;
    return `it belongs under ${meant.list}: write it${renamed} in an entry of that list`;
  }
  const hint = withSuggestion(`write one of ${fieldsOf(schema).join(", ")}`, meant?.field);
  // No field has a space in its name, so the line is probably the rest of a text.
  return name.includes(" ")
    ? `if the line continues the text above, indent it further than its field, and put a text without "|" in quotes; if it is a field, ${hint}`
    : hint;
}

/** `entry 1 of services`, `name`, or the name of the whole value. */
function nameOf(path: Path, rootName: string): string {
  const last = path.at(-1);
  if (last === undefined) return rootName;
  return typeof last === "number" ? `entry ${last + 1} of ${path.at(-2) ?? "the list"}` : last;
}

/** The correction of a value of the wrong type, by the type that it must have. */
const typeHints = {
  string: textHint,
  number: ({ schema, value }) =>
    typeof value === "string" && /^\d+ *\p{L}/u.test(value)
      ? withNote("write digits only, without a unit", schema)
      : "write digits, without quotes",
  boolean: ({ value }) =>
    withoutTypographicQuotes(value) === undefined
      ? "write true or false, without quotes: yes and no are text in YAML 1.2"
      : `remove the quotes: ${withoutTypographicQuotes(value)}`,
  array: listHint,
  object: mappingHint,
} as const satisfies Record<ReturnType<typeof expectedType>, (violation: Violation) => string>;

function withNote(hint: string, { "x-note": note }: RuleSchema): string {
  return note === undefined ? hint : `${hint}; ${note}`;
}

function withExample(hint: string, schema: RuleSchema): string {
  const example = exampleOf(schema);
  return example === undefined ? hint : `${hint}, for example ${flow(example)}`;
}

function textHint({ schema, value }: Violation): string {
  const { enum: allowed = [], format } = schema;
  if (allowed.length > 0) return `write one of ${allowed.join(", ")}`;
  if (format !== undefined && !isFreeText(format)) return withNote(formats[format].hint, schema);
  if (["number", "boolean"].includes(typeOfValue(value))) return "put it in quotes to make it text";
  const [word, ...others] = isMapping(value) ? Object.entries(value) : [];
  if (word?.[1] === null && others.length === 0)
    return `write it without braces, or in quotes: "{${cut(word[0])}}"`;
  return withExample("write text here", schema);
}

function mappingHint({ path, schema, value }: Violation): string {
  const [fields, { required = [] }] = [fieldsOf(schema), schema];
  const unspaced = typeof value === "string" ? /^([\p{L}_]+):\S/u.exec(value)?.[1] : undefined;
  if (unspaced !== undefined && fields.includes(unspaced)) {
    return `put a space after the colon: "${unspaced}: …"`;
  }
  if (typeof value === "string" && required.length === 1) return `write it as "${required[0]}: …"`;
  const { "x-noun": noun } = schema;
  if (Array.isArray(value) && path.length === 0 && noun !== undefined)
    return `remove the "- " and the indentation of each entry; separate ${noun}s with a line "---"`;
  if (fields.length === 0) return 'write each entry on a line of its own, as in "name: value"';
  return `write its fields, each as "name: value" on a line of its own: ${(required.length > 0 ? required : fields).join(", ")}`;
}

function listHint({ schema, value }: Violation): string {
  const { required: [leading, ...following] = [], ...item } = schema.items ?? {};
  const general =
    leading !== undefined && following.length === 0
      ? `write each entry as "- ${leading}: …"`
      : 'write a list: each entry on a line of its own, after "- "';
  if (typeof value === "string" && /^-[^ ]/.test(value))
    return `put a space after the "-" of each entry: "- ${value.slice(1).trim().split(/\s/, 1)[0]}"`;
  if (!isMapping(value)) return withNote(general, schema);
  // Usually the first entry without its dash.
  const [first = "", ...others] = Object.keys(value);
  const name = cut(first);
  if (/^-\S/.test(first)) return `put a space after the "-" of each entry: "- ${name.slice(1)}: …"`;
  if (fieldsOf(item).includes(first)) {
    const rest = others.length > 0 ? ", and indent its other fields by two more spaces" : "";
    return `make it an entry of a list: write "- ${name}: …"${rest}`;
  }
  if (leading === undefined || following.length === 0) return general;
  const below = following.map((field) => `"${field}: …"`).join(" and ");
  return `write each entry as "- ${leading}: …", with ${below} below it, indented like "${leading}"`;
}
