// Builds rules, with the type of the values that they accept.
import { type RuleFormat, type RuleSchema, type Rules, type RulesValue, typesOf } from "./rule-schema.ts";

type Others = Omit<RuleSchema, "type">;

export const text = (format: RuleFormat, others: Others = {}): Rules<string> => ({
  ...others,
  type: "string",
  format,
});

/** Text of any characters. */
export const anyText = (others: Others = {}): Rules<string> => ({ ...others, type: "string" });

/** Text of at least one character. */
export const filled = (others: Others = {}): Rules<string> => ({ ...others, type: "string", minLength: 1 });

export const oneOf = <T extends string>(values: readonly T[], others: Others = {}): Rules<T> => ({
  ...others,
  type: "string",
  enum: values,
});

/** A list of at least one entry. */
export const listOf = <T>(items: Rules<T>, others: Others = {}): Rules<T[]> => ({
  ...listOrNone(items, others),
  minItems: 1,
});

export const listOrNone = <T>(items: Rules<T>, others: Others = {}): Rules<T[]> => ({
  ...others,
  type: "array",
  items,
});

export const boolean = (others: Others = {}): Rules<boolean> => ({ ...others, type: "boolean" });

export const integer = (others: Others = {}): Rules<number> => ({ ...others, type: "integer" });

export const orNull = <T>(rules: Rules<T>): Rules<T | null> => ({
  ...(rules as RuleSchema),
  type: [...typesOf(rules), "null"],
});

/** A mapping from any name to such a value. */
export const recordOf = <T>(each: Rules<T>, others: Others = {}): Rules<Record<string, T>> => ({
  ...others,
  type: "object",
  additionalProperties: each,
});

type MappingOf<T, R extends keyof T> = { [K in R]: RulesValue<T[K]> } & {
  [K in Exclude<keyof T, R>]?: RulesValue<T[K]> | undefined;
};

/** A mapping of these fields and no others. */
export const mappingWith = <
  const T extends Readonly<Record<string, RuleSchema>>,
  R extends keyof T & string = never,
>(
  properties: T,
  required: readonly R[] = [],
  others: Others = {},
): Rules<MappingOf<T, R>> => ({
  ...others,
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});
