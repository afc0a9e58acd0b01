// The rules of a document that no value satisfies, beside the built-in rules or the values that the document lists itself.
// They are left out: no correction of a definition would help.
import { listRules, type Rule } from "../../rules/list-rules.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { isMapping } from "../../untrusted-data.ts";
import { longest, ownRules, shortest } from "./sent-fields.ts";

/** `left`: a sentence for each rule that is left out. `field`: where the body stands in a definition. */
export function withoutContradictions(body: RuleSchema, at: string, field = "") {
  const rules = listRules(body, at, field).filter(isContradictory);
  const dropped = new Map(rules.map(({ schema }) => [schema, new Set<string>()]));
  for (const { keyword, schema } of rules)
    for (const each of keyword === "enum" ? ["enum"] : ["minLength", "maxLength"])
      dropped.get(schema)?.add(each);
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (!isMapping(value)) return value;
    const names = dropped.get(value as RuleSchema);
    const kept = Object.entries(value).filter(([name]) => !names?.has(name));
    return Object.fromEntries(kept.map(([name, each]) => [name, without(each)]));
  };
  return {
    body: (rules.length === 0 ? body : without(body)) as RuleSchema,
    left: rules.map((rule) => `no value can satisfy the rule at ${rule.at}: ${rule.text}`),
  };
}

function isContradictory({ field, keyword, schema }: Rule): boolean {
  const { enum: values, maxLength = Number.POSITIVE_INFINITY, minLength = 0 } = schema;
  return [ownRules(field), values && { enum: values }].some((known) => {
    if (known === undefined) return false;
    if (keyword === "minLength" || keyword === "maxLength")
      return shortest(known) > maxLength || longest(known) < minLength;
    return keyword === "enum" && known.enum?.some((value) => values?.includes(value)) === false;
  });
}
