// Facts of rules that messages need: the kind of value that they take, fields, examples, and the field that a person
// probably meant.
import type { Path } from "../diagnostic.ts";
import { nearest } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { formats, isFreeText } from "./formats.ts";
import { type JsonType, type RuleSchema, typesOf } from "./rule-schema.ts";

/** The rules of the value at a path: the same number of steps into `properties` and `items`. */
export function rulesAt(rules: RuleSchema, path: Path): RuleSchema | undefined {
  return path.reduce<RuleSchema | undefined>((parent, step) => {
    if (typeof step === "number") return parent?.items;
    return ownValue(parent?.properties ?? {}, step);
  }, rules);
}

/** The rules at a path such as `services[].name`. */
export function rulesOf(rules: RuleSchema, field: string): RuleSchema | undefined {
  const steps = field.match(/[^.[\]]+|\[\]/g) ?? [];
  return rulesAt(
    rules,
    steps.map((step) => (step === "[]" ? 0 : step)),
  );
}

/** The type that the rules take, beside null. A whole number is a number. */
export function expectedType(rules: RuleSchema): Exclude<JsonType, "null" | "integer"> {
  const type = typesOf(rules).find((each) => each !== "null") ?? "string";
  return type === "integer" ? "number" : type;
}

export function fieldsOf({ properties = {} }: RuleSchema): readonly string[] {
  return Object.keys(properties);
}

/** An example of a valid value. That of a list or mapping combines the examples of the fields that it must have. */
export function exampleOf(rules: RuleSchema): unknown {
  const { enum: values = [], examples = [], format, items, properties, required = [] } = rules;
  if (examples.length > 0) return examples[0];
  if (values.length > 0) return values[0];
  if (items !== undefined) return [exampleOf(items)];
  if (properties !== undefined && required.length > 0)
    return Object.fromEntries(required.map((name) => [name, exampleOf(ownValue(properties, name) ?? {})]));
  return format === undefined || isFreeText(format) ? undefined : formats[format].example;
}

/** A value of the type of the rules, where they have no example. */
export function plainExample(rules: RuleSchema): unknown {
  const examples = { string: "text", number: rules.minimum ?? 1, boolean: false, object: {}, array: [] };
  return examples[expectedType(rules)];
}

export function meantField(name: string, rules: RuleSchema) {
  const field = nearest(name, fieldsOf(rules)) ?? aliased(name, rules);
  if (field !== undefined) return { field };
  for (const [list, { items = {} }] of Object.entries(rules.properties ?? {})) {
    const own = fieldsOf(items).includes(name) ? name : aliased(name, items);
    if (own !== undefined) return { list, field: own };
  }
  return undefined;
}

function aliased(name: string, { properties = {} }: RuleSchema): string | undefined {
  return Object.entries(properties).find(([, own]) => own["x-aliases"]?.includes(plainName(name)))?.[0];
}

/** A name without its letter case and its separators, as the names of other tools are listed. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}
