// Compares the service's current document with the local checks: the built-in rules, and the project's
// contract. Judges each difference by its effect on declaring or reading an incident.

import { ownValue } from "../../own-value.ts";
import { listRules, type Rule } from "../../rules/list-rules.ts";
import type { Contract } from "../../rules/openapi/contract.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { fieldsOf } from "../../rules/schema-facts.ts";
import {
  compareRequests,
  type Difference,
  harmful,
  harmless,
  type RequestFacts,
} from "./compare-requests.ts";
import { isAlwaysSent, isBuiltIn, ownRules } from "./sent-fields.ts";

export interface LiveFacts extends RequestFacts {
  /** The contract of the project; undefined where there is none. */
  readonly pulled: Pick<Contract, "create"> | undefined;
  /** Whether a create carries an id; false once the service is known to refuse it. */
  readonly sendsId: boolean;
}

export function compareWithLive(facts: LiveFacts): readonly Difference[] {
  const { body } = facts.live.create;
  const differences = [
    ...compareRequests(facts),
    ...(body === undefined
      ? [
          harmless(
            "the create's body is not described",
            "nothing can be compared; incident validate checks it",
          ),
        ]
      : [...bodyRules(body).flatMap((rule) => judgeRule(rule, facts)), ...newPossibilities(body)]),
  ];
  return [...differences.filter(({ matters }) => matters), ...differences.filter(({ matters }) => !matters)];
}

/** The rules that concern a part of the body that is sent, or that must be there. */
function bodyRules(body: RuleSchema): readonly Rule[] {
  return listRules(body, "").filter(
    ({ field, keyword }) =>
      ownRules(field) !== undefined || (keyword === "required" && ownRules(parentOf(field)) !== undefined),
  );
}

const pull =
  "run incident contract pull: from then on, a definition that breaks it is refused before it is sent";
const cannot = "incident cannot satisfy it: a newer version may";

function judgeRule(rule: Rule, facts: LiveFacts): readonly Difference[] {
  const { field, keyword, text } = rule;
  if (isBuiltIn(rule)) return [];
  if (keyword === "required" && field === "services[].accountId" && facts.sendsAccount) return [];
  if (keyword === "no-other-fields") return judgeFields(rule, facts);
  if (isImpossible(rule)) return [harmful(text, cannot)];
  return isPulled(rule, facts) ? [] : [harmful(text, pull)];
}

/** Whether no definition can satisfy the rule. */
function isImpossible({ field, keyword, schema }: Rule): boolean {
  if (keyword === "required") return ownRules(field) === undefined;
  if (!isAlwaysSent(field)) return false;
  if (keyword === "type") return true;
  const values = ownRules(field)?.enum;
  return keyword === "enum" && values !== undefined && !values.some((value) => schema.enum?.includes(value));
}

function isPulled({ field, text }: Rule, { pulled }: LiveFacts): boolean {
  const rules = pulled?.create.body === undefined ? [] : listRules(pulled.create.body, "");
  return rules.some((rule) => rule.field === field && rule.text === text);
}

/** A mapping that accepts no other fields than the ones it lists. */
function judgeFields(rule: Rule, facts: LiveFacts): readonly Difference[] {
  const { field, schema } = rule;
  const missing = sentIn(field).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  const without = (name: string) => `${field === "" ? "a create" : field} has no field ${name}`;
  return missing.flatMap((name) => {
    const path = field === "" ? name : `${field}.${name}`;
    if (path === "id") return facts.sendsId ? [harmless(without(name), withoutId)] : [];
    if (isAlwaysSent(path) || (path === "services[].accountId" && facts.sendsAccount))
      return [harmful(without(name), "incident sends it with each create: a newer version may leave it out")];
    return isPulled(rule, facts) ? [] : [harmful(without(name), pull)];
  });
}

const withoutId =
  "incident sends a create again without it when it is refused: to save that request, write clientIds: unsupported into the profile";

function sentIn(field: string): readonly string[] {
  return fieldsOf(ownRules(field) ?? {});
}

/** What the document allows, and a definition cannot have. */
function newPossibilities(body: RuleSchema): readonly Difference[] {
  const newer = "a definition cannot use it yet: a newer version of incident may know it";
  const service = partOf(partOf(body, "services"), "items");
  const update = partOf(partOf(body, "incidentUpdates"), "items");
  const lists = [
    ["a create", body, sentIn("")],
    ["a service of a create", service, sentIn("services[]")],
    ["an update of a create", update, sentIn("incidentUpdates[]")],
  ] as const;
  const longest = partOf(body, "name")?.maxLength ?? 0;
  const ownLongest = ownRules("name")?.maxLength ?? 0;
  return [
    ...lists.flatMap(([name, schema, known]) =>
      Object.keys(schema?.properties ?? {})
        .filter((field) => !known.some((own) => own === field) && !schema?.required?.includes(field))
        .map((field) => harmless(`${name} can have the new field ${field}`, newer)),
    ),
    ...[
      ["severity", "severity", partOf(body, "severity")] as const,
      ["the status of an update", "incidentUpdates[].status", partOf(update, "status")] as const,
    ].flatMap(([name, field, schema]) =>
      (schema?.enum ?? [])
        .filter((value) => value !== null && !ownRules(field)?.enum?.includes(value))
        .map((value) => harmless(`${name} can also be ${value}`, newer)),
    ),
    ...(longest > ownLongest
      ? [harmless(`a name can have ${longest} characters`, `a definition can use ${ownLongest} of them`)]
      : []),
  ];
}

/** The schema of a field or of the entries, also where it stands in a part of an `allOf`. */
function partOf(schema: RuleSchema | undefined, name: string): RuleSchema | undefined {
  if (schema === undefined) return undefined;
  const own = name === "items" ? schema.items : ownValue(schema.properties ?? {}, name);
  return own ?? schema.allOf?.map((part) => partOf(part, name)).find((part) => part !== undefined);
}

function parentOf(field: string): string {
  return field.includes(".") ? field.slice(0, field.lastIndexOf(".")) : "";
}
