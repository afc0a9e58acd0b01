// Puts the fields of a valid value into the order of its rules.
import { fieldOf, ownValue } from "../untrusted-data.ts";
import type { RuleSchema } from "./rule-schema.ts";

/** A copy of a valid value with its fields in the order of the rules; those that the rules do not name come last. */
export function inOrder<T>(rules: RuleSchema, value: T): T;
export function inOrder(rules: RuleSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => inOrder(rules.items ?? {}, entry));
  if (typeof value !== "object" || value === null) return value;
  const { additionalProperties: others, properties = {} } = rules;
  const rest = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const names = [...Object.keys(properties), ...rest];
  const entries = names.flatMap((name) => {
    const field = fieldOf(value, name);
    const own = ownValue(properties, name) ?? (others || {});
    return field === undefined ? [] : [[name, inOrder(own, field)] as const];
  });
  return Object.fromEntries(entries);
}
