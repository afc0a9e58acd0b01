// The words for every violation: one row for each keyword, with the message about the value and the correction.
import type { Diagnostic, Path } from "../diagnostic.ts";
import { codePointLength, countOf, cutText } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { formats, isFreeText } from "./formats.ts";
import { controlIn, isVisible } from "./forms.ts";
import { flow, quote, typeNames, typeOfValue } from "./quote.ts";
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
  number: ({ schema }) => withNote("write digits only, without a unit and without quotes", schema),
  boolean: () => "write true or false, without quotes: yes and no are text in YAML 1.2",
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
  return withExample("write text here", schema);
}

function mappingHint({ schema, value }: Violation): string {
  const [fields, { required = [] }] = [fieldsOf(schema), schema];
  if (typeof value === "string" && required.length === 1) return `write it as "${required[0]}: …"`;
  if (fields.length === 0) return 'write each entry on a line of its own, as in "name: value"';
  return `write its fields, each as "name: value" on a line of its own: ${(required.length > 0 ? required : fields).join(", ")}`;
}

function listHint({ schema }: Violation): string {
  const [leading, ...following] = schema.items?.required ?? [];
  if (leading === undefined)
    return withNote('write a list: each entry on a line of its own, after "- "', schema);
  const below = following.map((field) => `"${field}: …"`).join(" and ");
  const rest = below && `, with ${below} below it, indented like "${leading}"`;
  return withNote(`write each entry as "- ${leading}: …"${rest}`, schema);
}
