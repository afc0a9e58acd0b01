// The rules of a service's document in words.
import { fieldAt } from "../incident/definition.ts";
import { isMapping } from "../untrusted-data.ts";
import type { JsonSchema } from "./json-schema.ts";

export interface Rule {
  /** The field, such as `services[].accountId`; empty for the body itself. */
  readonly field: string;
  readonly keyword: RuleKeyword;
  /** `services[].accountId is required`, or `name: maxLength 100`. */
  readonly text: string;
  readonly schema: JsonSchema;
}

const keywords = [
  ...(["type", "enum", "format", "minLength", "maxLength", "minItems", "maxItems"] as const),
  ...(["minProperties", "maxProperties", "minimum", "maximum", "exclusiveMinimum"] as const),
  ...(["exclusiveMaximum", "multipleOf", "uniqueItems", "anyOf", "oneOf", "not"] as const),
];
type ValueKeyword = (typeof keywords)[number];
export type RuleKeyword = "required" | "additionalProperties" | ValueKeyword;

export function describeRule(keyword: ValueKeyword, schema: JsonSchema): string {
  const value: unknown = schema[keyword];
  if (!Array.isArray(value)) return isMapping(value) ? keyword : `${keyword} ${value}`;
  return isMapping(value[0]) ? `${keyword} of ${value.length} schemas` : `${keyword} ${value.join(", ")}`;
}

/** The rules about the fields that are sent, and about those that must be, each once. */
export function listRules(schema: JsonSchema, field = ""): readonly Rule[] {
  return [...new Map([...walk(schema, field)].map((rule) => [rule.text, rule])).values()];
}

function* walk(schema: JsonSchema, field: string): Generator<Rule> {
  if (!isKnown(field)) return;
  const below = (name: string) => (field === "" ? name : `${field}.${name}`);
  const name = field === "" ? "the body" : field;
  const { properties = {}, required = [] } = schema;
  for (const missing of required.map(below))
    yield { field: missing, keyword: "required", text: `${missing} is required`, schema };
  if (schema.additionalProperties === false) {
    const text = `${name} has no other fields than ${Object.keys(properties).sort().join(", ") || "none"}`;
    yield { field, keyword: "additionalProperties", text, schema };
  }
  for (const keyword of keywords) {
    // A format or an enumeration says the type as well.
    const isSaid = keyword === "type" && (schema.enum ?? schema.format) !== undefined;
    if (schema[keyword] !== undefined && !isSaid)
      yield { field, keyword, text: `${name}: ${describeRule(keyword, schema)}`, schema };
  }
  for (const [property, value] of Object.entries(properties)) yield* walk(value, below(property));
  if (schema.items !== undefined) yield* walk(schema.items, `${field}[]`);
  for (const part of schema.allOf ?? []) yield* walk(part, field);
}

/** Whether a definition has the field, which is empty for the body itself. */
export function isKnown(field: string): boolean {
  return field === "" || fieldAt(field.replace(/\[\]$/, "")) !== undefined;
}
