// The fields of a create that the tool sends, and the rules of a contract that it satisfies anyway: by its own rules for
// definitions, or because it writes the field itself.
import { implies } from "../../rules/implies.ts";
import type { Rule } from "../../rules/list-rules.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { rulesOf } from "../../rules/schema-facts.ts";
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
  return own !== undefined && implies(own, keyword, schema);
}
