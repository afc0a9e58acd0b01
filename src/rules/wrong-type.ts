// The words for a value of the wrong type, with the correction for the mistake that the value shows.
import type { Path } from "../diagnostic.ts";
import { formatExamples } from "./formats.ts";
import {
  cut,
  flow,
  kindNames,
  kindOf,
  quote,
  typographicQuotesHint,
  withoutTypographicQuotes,
} from "./quote.ts";
import type { RuleSchema } from "./rule-schema.ts";
import { exampleOf, expectedKind, fieldsOf } from "./schema-facts.ts";

export interface WrongType {
  readonly schema: RuleSchema;
  readonly value: unknown;
  readonly path: Path;
}

export function wrongTypeFact({ schema, value }: WrongType, name: string): string {
  const kind = kindOf(value);
  if (kind === "nothing") return `${name} is empty`;
  const subject = kind === "list" || kind === "mapping" ? name : quote(value);
  return `${subject} is ${kindNames[kind]}, not ${kindNames[expectedKind(schema) ?? "text"]}`;
}

export function wrongTypeHint(wrong: WrongType): string {
  const { schema, value } = wrong;
  switch (expectedKind(schema) ?? "text") {
    case "text":
      return textHint(wrong);
    case "number":
      if (typeof value !== "string" || !/^\d+ *\p{L}/u.test(value)) return "write digits, without quotes";
      return withNote("write digits only, without a unit", schema);
    case "boolean":
      if (withoutTypographicQuotes(value) !== undefined) return typographicQuotesHint(value);
      return "write true or false, without quotes: yes and no are text in YAML 1.2";
    case "list":
      if (typeof value === "string" && /^-\S/.test(value)) {
        return `put a space after the "-" of each entry: "- ${cutWord(value.slice(1))}"`;
      }
      if (kindOf(value) === "mapping") return listHint(wrong);
      return withNote(plainListHint(schema), schema);
    case "mapping":
      return mappingHint(wrong);
    case "nothing":
      return "leave it empty";
  }
}

function plainListHint({ items: { required = [] } = {} }: RuleSchema): string {
  if (required.length === 1) return `write each entry as "- ${required[0]}: …"`;
  return 'write a list: each entry on a line of its own, after "- "';
}

export function withNote(hint: string, { "x-note": note }: RuleSchema): string {
  return note === undefined ? hint : `${hint}; ${note}`;
}

function textHint({ schema, value }: WrongType): string {
  const { enum: allowed = [], format } = schema;
  if (["number", "boolean"].includes(kindOf(value))) {
    if (allowed.length > 0) return `write one of ${allowed.join(", ")}`;
    if (format !== undefined && format !== "x-visible-text") return formatExamples[format].hint;
    return "put it in quotes to make it text";
  }
  const example = exampleOf(schema);
  return example === undefined ? "write text here" : `write text here, for example ${flow(example)}`;
}

function mappingHint({ path, schema, value }: WrongType): string {
  const [fields, { required = [] }] = [fieldsOf(schema), schema];
  const unspaced = typeof value === "string" ? /^([\p{L}_]+):\S/u.exec(value)?.[1] : undefined;
  if (unspaced !== undefined && fields.includes(unspaced)) {
    return `put a space after the colon: "${unspaced}: …"`;
  }
  const { "x-noun": noun } = schema;
  if (kindOf(value) === "list" && path.length === 0 && noun !== undefined)
    return `remove the "- " and the indentation of each entry; separate ${noun}s with a line "---"`;
  if (fields.length === 0) return 'write each entry on a line of its own, as in "name: value"';
  return `write its fields, each as "name: value" on a line of its own: ${(required.length > 0 ? required : fields).join(", ")}`;
}

/** The correction of a mapping in the place of a list: usually the first entry without its dash. */
function listHint({ schema: { items = {} }, value }: WrongType): string {
  const [first = "", ...others] = Object.keys(value as object);
  const name = cut(first);
  if (/^-\S/.test(first)) return `put a space after the "-" of each entry: "- ${name.slice(1)}: …"`;
  if (fieldsOf(items).includes(first)) {
    const rest = others.length > 0 ? ", and indent its other fields by two more spaces" : "";
    return `make it an entry of a list: write "- ${name}: …"${rest}`;
  }
  const [leading, ...following] = items.required ?? [];
  if (leading === undefined || following.length === 0) return plainListHint({ items });
  const below = following.map((field) => `"${field}: …"`).join(" and ");
  return `write each entry as "- ${leading}: …", with ${below} below it, indented like "${leading}"`;
}

function cutWord(text: string): string {
  return text.trim().split(/\s/, 1)[0] ?? "";
}
