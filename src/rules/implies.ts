// Compares rules: whether one rule of a schema holds for each value that other rules accept.
import { ownValue } from "../own-value.ts";
import { type RuleKeyword, type RuleSchema, typesOf } from "./rule-schema.ts";

/** Whether no value that `own` accepts breaks the rule of this keyword in `schema`. */
export function implies(own: RuleSchema, keyword: RuleKeyword, schema: RuleSchema): boolean {
  return comparisons[keyword]?.(own, schema) ?? false;
}

type Comparison = (own: RuleSchema, schema: RuleSchema) => boolean;

const comparisons: Partial<Record<RuleKeyword, Comparison>> = {
  type: (own, schema) =>
    typesOf(own)
      .filter((type) => type !== "null")
      .every((type) =>
        typesOf(schema).some((other) => other === type || (other === "number" && type === "integer")),
      ),
  enum: (own, schema) => own.enum?.every((value) => schema.enum?.includes(value)) ?? false,
  format: (own, schema) => formatOf(own) === schema.format,
  minLength: (own, schema) => shortest(own) >= (schema.minLength ?? 0),
  maxLength: (own, schema) =>
    longest(own) <= (schema.maxLength ?? 0) && shortest(own) >= (schema.minLength ?? 0),
  minItems: ({ minItems = 0 }, schema) => minItems >= (schema.minItems ?? 0),
  "no-other-fields": (own, schema) =>
    Object.keys(own.properties ?? {}).every((name) => ownValue(schema.properties ?? {}, name) !== undefined),
};

/** The format of the texts as they are sent: with seconds. */
function formatOf({ format }: RuleSchema): RuleSchema["format"] {
  return format === "x-iso-date-time" ? "date-time" : format;
}

const lengths: ReadonlyMap<RuleSchema["format"], number> = new Map<RuleSchema["format"], number>([
  ["uuid", 36],
  ["date", 10],
]);

function shortest({ enum: values, format, minLength = 0 }: RuleSchema): number {
  if (values !== undefined) return Math.min(...values.map((value) => String(value).length));
  return lengths.get(format) ?? (format === "x-visible-text" ? Math.max(1, minLength) : minLength);
}

function longest({ enum: values, format, maxLength = Number.POSITIVE_INFINITY }: RuleSchema): number {
  if (values !== undefined) return Math.max(...values.map((value) => String(value).length));
  return lengths.get(format) ?? maxLength;
}
