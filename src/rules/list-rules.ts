// The rules of a schema, each in words and with the place where it stands in the document.
import { countOf } from "../text/lengths.ts";
import { formats } from "./formats.ts";
import { pointerTo } from "./pointer.ts";
import { describeTypes } from "./quote.ts";
import { type LimitKeyword, limitKeywords, type RuleKeyword, type RuleSchema } from "./rule-schema.ts";

export interface Rule {
  /** The field, such as `services[].accountId`; empty for the body itself. */
  readonly field: string;
  readonly keyword: RuleKeyword;
  /** `services[].accountId is required`. */
  readonly text: string;
  /** Where it stands in the document, as a JSON pointer. */
  readonly at: string;
  /** The schema that states it. */
  readonly schema: RuleSchema;
}

/** Every rule of a schema, in the order of its fields, each once. `at` is where the schema stands. */
export function listRules(schema: RuleSchema, at: string, field = ""): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const rule of walk(schema, at, field)) {
    const key = `${rule.field} ${rule.text}`;
    if (!rules.has(key)) rules.set(key, rule);
  }
  return [...rules.values()];
}

function* walk(schema: RuleSchema, parent: string, field: string): Generator<Rule> {
  const at = schema["x-at"] ?? parent;
  const name = field === "" ? "the body" : field;
  const rule = (keyword: RuleKeyword, text: string, of = field): Rule => ({
    field: of,
    keyword,
    text,
    at,
    schema,
  });
  for (const missing of schema.required ?? []) {
    const required = below(field, missing);
    yield rule("required", `${required} is required`, required);
  }
  if (schema.additionalProperties === false) {
    const known = Object.keys(schema.properties ?? {}).sort();
    yield rule("no-other-fields", `${name} has no other fields than ${known.join(", ") || "none"}`);
  }
  yield* valueRules(schema, name, rule);
  for (const [property, value] of Object.entries(schema.properties ?? {}))
    yield* walk(value, pointerTo(pointerTo(at, "properties"), property), below(field, property));
  if (schema.items !== undefined) yield* walk(schema.items, pointerTo(at, "items"), `${field}[]`);
  for (const [index, part] of (schema.allOf ?? []).entries())
    yield* walk(part, pointerTo(pointerTo(at, "allOf"), index), field);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const forms = (schema[keyword] ?? []).filter(({ type }) => type !== "null");
    const [only] = forms;
    if (only !== undefined && forms.length === 1) yield* walk(only, pointerTo(at, keyword), field);
    else if (forms.length > 1) yield rule(keyword, `${name} has one of ${forms.length} forms`);
  }
  if (schema.not !== undefined) yield rule("not", `${name} has a form that is not accepted`);
}

function* valueRules(
  schema: RuleSchema,
  name: string,
  rule: (keyword: RuleKeyword, text: string) => Rule,
): Generator<Rule> {
  const { enum: values, format, pattern, type } = schema;
  // A format or an enumeration says the type as well.
  if (type !== undefined && values === undefined && format === undefined)
    yield rule("type", `${name} is ${describeTypes(schema)}`);
  if (values !== undefined) yield rule("enum", `${name}: one of ${values.map(String).join(", ")}`);
  if (format !== undefined) yield rule("format", `${name}: ${formats[format].name}`);
  if (pattern !== undefined) yield rule("pattern", `${name} matches ${pattern}`);
  if (schema.uniqueItems) yield rule("uniqueItems", `${name}: no entry twice`);
  for (const keyword of limitNames) {
    const isSaidByOther = keyword.startsWith("min") && isExact(schema, keyword);
    if (schema[keyword] !== undefined && !isSaidByOther)
      yield rule(keyword, `${name}: ${describeLimit(schema, keyword)}`);
  }
}

const limitNames = Object.keys(limitKeywords) as LimitKeyword[];

/** `at least 3 entries`, or `a multiple of 5`. */
export function describeLimit(schema: RuleSchema, keyword: LimitKeyword): string {
  const { relation, ...counts } = limitKeywords[keyword];
  const limit = schema[keyword] ?? 0;
  const amount = "unit" in counts ? countOf(limit, counts.unit) : limit;
  return `${isExact(schema, keyword) ? "exactly" : relation} ${amount}`;
}

/** Whether the smallest and the largest limit are the same. */
function isExact(schema: RuleSchema, keyword: LimitKeyword): boolean {
  const other = keyword.startsWith("min") ? keyword.replace("min", "max") : keyword.replace("max", "min");
  return other !== keyword && schema[keyword] === schema[other as LimitKeyword];
}

function below(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
