// The rules of a service's document in words, each beside the rule that definitions have anyway: it is satisfied by every
// definition, or by none, or it is one more.
import { definitionRules } from "../incident/definition.ts";
import { formats, isFreeText } from "../rules/formats.ts";
import { describeLimit, describeTypes, otherLimit } from "../rules/quote.ts";
import { type LimitKeyword, limitKeywords, type RuleSchema, typesOf } from "../rules/rule-schema.ts";
import { rulesOf } from "../rules/schema-facts.ts";
import { isMapping, ownValue } from "../untrusted-data.ts";

export interface Rule {
  /** The field, such as `services[].accountId`; empty for the body itself. */
  readonly field: string;
  readonly keyword: RuleKeyword;
  /** `services[].accountId is required`. */
  readonly text: string;
  readonly schema: RuleSchema;
}

export type RuleKeyword = "required" | "additionalProperties" | keyof typeof words;

/** The fields that a definition may leave out, and the tool then writes. The account is not always known. */
export const filledIn: readonly string[] = [
  "id",
  "services[].accountId",
  "incidentUpdates[].notifySubscribers",
];

/** The unit of a limit; undefined for a keyword that is none, or that is about a number. */
export const unitOf = (keyword: string): string | undefined =>
  ownValue<{ readonly relation: string; readonly unit?: string }>(limitKeywords, keyword)?.unit;

const limitNames = Object.keys(limitKeywords) as LimitKeyword[];

/** Each rule about a value in words, by its keyword: `at most 10 characters`. */
const words = {
  type: describeTypes,
  enum: ({ enum: values = [] }: RuleSchema) =>
    values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(", ")}`,
  format: ({ format = "uuid" }: RuleSchema) => ownValue(formats, format)?.name ?? `the format ${format}`,
  uniqueItems: () => "no entry twice",
  anyOf: ({ anyOf = [] }: RuleSchema) => `one of ${anyOf.length} forms`,
  oneOf: ({ oneOf = [] }: RuleSchema) => `one of ${oneOf.length} forms`,
  not: () => "another form",
  ...(Object.fromEntries(
    limitNames.map((keyword) => [keyword, (schema: RuleSchema) => describeLimit(schema, keyword)]),
  ) as Record<LimitKeyword, (schema: RuleSchema) => string>),
} as const satisfies Partial<Record<keyof RuleSchema, (schema: RuleSchema) => string>>;

export function describeRule(keyword: keyof typeof words, schema: RuleSchema): string {
  return words[keyword](schema);
}

/** The rules about the fields that are sent, and about those that must be, each once. */
export function listRules(schema: RuleSchema, field = ""): readonly Rule[] {
  return [...new Map([...walk(schema, field)].map((rule) => [rule.text, rule])).values()];
}

function* walk(schema: RuleSchema, field: string): Generator<Rule> {
  if (ownRules(field) === undefined) return;
  const below = (name: string) => (field === "" ? name : `${field}.${name}`);
  const name = field === "" ? "the body" : field;
  const { properties = {}, required = [] } = schema;
  for (const missing of required.map(below))
    yield { field: missing, keyword: "required", text: `${missing} is required`, schema };
  if (schema.additionalProperties === false) {
    const text = `${name} has no other fields than ${Object.keys(properties).sort().join(", ") || "none"}`;
    yield { field, keyword: "additionalProperties", text, schema };
  }
  for (const keyword of Object.keys(words) as (keyof typeof words)[]) {
    // A format or an enumeration says the type as well, and one limit says two that are equal.
    const isSaid =
      (keyword === "type" && (schema.enum ?? schema.format) !== undefined) ||
      (keyword.startsWith("min") && schema[otherLimit(keyword as LimitKeyword)] === schema[keyword]);
    if (schema[keyword] !== undefined && !isSaid)
      yield { field, keyword, text: `${name}: ${words[keyword](schema)}`, schema };
  }
  for (const [property, value] of Object.entries(properties)) yield* walk(value, below(property));
  if (schema.items !== undefined) yield* walk(schema.items, `${field}[]`);
  for (const part of schema.allOf ?? []) yield* walk(part, field);
}

export function ownRules(field: string): RuleSchema | undefined {
  return rulesOf(definitionRules, field);
}

export function addedRules(schema: RuleSchema = {}, field = ""): readonly Rule[] {
  return listRules(schema, field).filter((rule) => standing(rule) !== "built-in");
}

/** The added rules that `others` do not have. */
export function missingRules(
  schema: RuleSchema | undefined,
  others: RuleSchema | undefined,
): readonly Rule[] {
  const texts = new Set(addedRules(others).map(({ text }) => text));
  return addedRules(schema).filter(({ text }) => !texts.has(text));
}

/**
 * The rules without those that no value satisfies beside the built-in ones, or beside the values that the document lists
 * itself: no correction of a definition would help. `removed`: those, in words.
 */
export function withoutImpossible(body: RuleSchema, field = "") {
  const rules = listRules(body, field).filter((rule) => standing(rule) === "impossible");
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (!isMapping(value)) return value;
    const own = rules.filter(({ schema }) => schema === value);
    const names = own.map(({ keyword }) => keyword as string);
    const fields = own.filter(({ keyword }) => keyword === "required").map((rule) => lastOf(rule.field));
    const required = (value as RuleSchema).required?.filter((name) => !fields.includes(name)) ?? [];
    const kept = Object.entries(value).filter(([name]) => !names.includes(name));
    const entries = kept.map(([name, each]) => [name, without(each)]);
    return { ...Object.fromEntries(entries), ...(required.length > 0 && { required }) };
  };
  return {
    body: (rules.length === 0 ? body : without(body)) as RuleSchema,
    removed: rules.map(({ text }) => text),
  };
}

const parentOf = (field: string) => field.slice(0, Math.max(0, field.lastIndexOf(".")));
const lastOf = (field: string) => field.slice(field.lastIndexOf(".") + 1);

function standing({ field, keyword, schema }: Rule): "built-in" | "impossible" | "added" {
  const own = ownRules(field);
  if (keyword === "required") {
    if (own === undefined) return "impossible";
    const isWritten = ownRules(parentOf(field))?.required?.includes(lastOf(field));
    return isWritten || (filledIn.includes(field) && lastOf(field) !== "accountId") ? "built-in" : "added";
  }
  if (own === undefined) return "added";
  if (keyword === "additionalProperties") return standingOfFields(field, own, schema);
  const { enum: values } = schema;
  const [always, never] = relations[keyword]?.(own, schema) ?? [false, false];
  const [, isNeverListed] = (values && relations[keyword]?.({ enum: values }, schema)) ?? [];
  return never || isNeverListed ? "impossible" : always ? "built-in" : "added";
}

/** A create is sent again without an id to a service that refuses one. */
function standingOfFields(field: string, { properties = {}, required = [] }: RuleSchema, schema: RuleSchema) {
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  const isAlways = (name: string) => required.includes(name) || name === "notifySubscribers";
  if (missing.some(isAlways)) return "impossible";
  return missing.every((name) => field === "" && name === "id") ? "built-in" : "added";
}

type Relation = (own: RuleSchema, schema: RuleSchema) => readonly [always: boolean, never: boolean];

/** Whether all values that `own` accepts satisfy the rule, and whether none does. */
const relations: Partial<Record<RuleKeyword, Relation>> = {
  type: (own, schema) => {
    const accepted = typesOf(own).filter((type) => type !== "null");
    const fits = accepted.map((type) =>
      typesOf(schema).some((other) => other === type || (other === "number" && type === "integer")),
    );
    return [!fits.includes(false), fits.length > 0 && !fits.includes(true)];
  },
  enum: ({ enum: values = [] }, schema) => {
    const fits = values.map((value) => schema.enum?.includes(value));
    return [fits.length > 0 && !fits.includes(false), fits.length > 0 && !fits.includes(true)];
  },
  // A date-time is sent with seconds.
  format: ({ format }, schema) => [format?.replace("x-iso-", "") === schema.format, false],
  minLength: lengths,
  maxLength: lengths,
  minItems: ({ minItems = 0 }, schema) => [minItems >= (schema.minItems ?? 0), false],
};

function lengths(own: RuleSchema, { maxLength = Number.POSITIVE_INFINITY, minLength = 0 }: RuleSchema) {
  const [shortest, longest] = lengthsOf(own);
  return [
    shortest >= minLength && longest <= maxLength,
    shortest > maxLength || longest < minLength,
  ] as const;
}

function lengthsOf({
  enum: values,
  format,
  ...own
}: RuleSchema): readonly [shortest: number, longest: number] {
  if (values !== undefined) {
    const all = values.map((value) => String(value).length);
    return [Math.min(...all), Math.max(...all)];
  }
  if (format === "uuid") return [36, 36];
  if (format === "date") return [10, 10];
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0 } = own;
  return [isFreeText(format) ? Math.max(1, minLength) : minLength, maxLength];
}
