// The fields of a create that the tool sends, and the rules of a contract that it satisfies anyway: by its own rules for
// definitions, or because it writes the field itself.

import { isFreeText } from "../../rules/formats.ts";
import type { Rule } from "../../rules/list-rules.ts";
import { type RuleKeyword, type RuleSchema, typesOf } from "../../rules/rule-schema.ts";
import { rulesOf } from "../../rules/schema-facts.ts";
import { ownValue } from "../../untrusted-data.ts";
import { definitionRules } from "../definition.ts";

/** The fields that a definition may leave out, and the tool then writes. The account is not always known. */
export const filledIn: readonly string[] = [
  "id",
  "services[].accountId",
  "incidentUpdates[].notifySubscribers",
];

export function ownRules(field: string): RuleSchema | undefined {
  return rulesOf(definitionRules, field);
}

/** Whether each body has the field. An id is sent until the service is known to refuse it. */
export function isAlwaysSent(field: string): boolean {
  if (field === "" || field.endsWith("[]")) return ownRules(field) !== undefined;
  const at = Math.max(0, field.lastIndexOf("."));
  const name = field.slice(at).replace(/^\./, "");
  const isRequired = ownRules(field.slice(0, at))?.required?.includes(name) ?? false;
  return isRequired || (filledIn.includes(field) && field !== "services[].accountId");
}

/** Whether no definition that the own rules accept can break the rule. */
export function isBuiltIn({ field, keyword, schema }: Rule): boolean {
  if (keyword === "required") return isAlwaysSent(field);
  const own = ownRules(field);
  return own !== undefined && (implies[keyword]?.(own, schema) ?? false);
}

/** Whether no value that `own` accepts breaks the rule of a keyword in `schema`. */
const implies: Partial<Record<RuleKeyword, (own: RuleSchema, schema: RuleSchema) => boolean>> = {
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

export function shortest({ enum: values, format, minLength = 0 }: RuleSchema): number {
  if (values !== undefined) return Math.min(...values.map((value) => String(value).length));
  return lengths.get(format) ?? (isFreeText(format) ? Math.max(1, minLength) : minLength);
}

export function longest({ enum: values, format, maxLength = Number.POSITIVE_INFINITY }: RuleSchema): number {
  if (values !== undefined) return Math.max(...values.map((value) => String(value).length));
  return lengths.get(format) ?? maxLength;
}
