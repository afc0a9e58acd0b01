// The rules of a schema, each in words and with the place where it stands in the document.
import { formatNames } from "./formats.ts";
import { pointerTo } from "./pointer.ts";
import { type RuleKeyword, type RuleSchema, typesOf } from "./rule-schema.ts";

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
  if (format !== undefined) yield rule("format", `${name}: ${formatNames[format]}`);
  if (pattern !== undefined) yield rule("pattern", `${name} matches ${pattern}`);
  for (const [suffix, unit] of sizes) {
    const [leastKeyword, mostKeyword] = [`min${suffix}`, `max${suffix}`] as const;
    const [least, most] = [schema[leastKeyword], schema[mostKeyword]];
    const counted = (count: number) => `${count} ${unit}`.trim();
    if (most !== undefined && least === most) yield rule(mostKeyword, `${name}: exactly ${counted(most)}`);
    else {
      if (least !== undefined) yield rule(leastKeyword, `${name}: at least ${counted(least)}`);
      if (most !== undefined) yield rule(mostKeyword, `${name}: at most ${counted(most)}`);
    }
  }
  if (schema.uniqueItems) yield rule("uniqueItems", `${name}: no entry twice`);
  for (const keyword of numberRules) {
    const limit = schema[keyword];
    if (limit !== undefined) yield rule(keyword, `${name}: ${numberNames[keyword]} ${limit}`);
  }
}

const sizes = [
  ["Length", "characters"],
  ["Items", ""],
  ["Properties", "fields"],
] as const;

const numberRules = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

/** How a value relates to the number of each keyword. */
export const numberNames = {
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
} as const satisfies Record<(typeof numberRules)[number], string>;

const typeNames = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a mapping",
  array: "a list",
  null: "null",
} as const;

export function describeTypes(schema: RuleSchema): string {
  return typesOf(schema)
    .map((each) => typeNames[each])
    .join(" or ");
}

function below(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
