// Judges the service's current document: the rules that neither the built-in ones nor the project's contract have, and
// the answers that the tool would misread.

import type { Rule } from "../../rules/list-rules.ts";
import type { Contract, ContractOperation } from "../../rules/openapi/contract.ts";
import { accountHeaderPattern } from "../../rules/openapi/operations.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { fieldsOf } from "../../rules/schema-facts.ts";
import { propertiesOf } from "../../rules/schema-forms.ts";
import { ownValue } from "../../untrusted-data.ts";
import { unwrap } from "../wire.ts";
import { bodyRules, requestRules, sentHeaders } from "./contract-rules.ts";
import { isAlwaysSent, isBuiltIn, ownRules } from "./sent-fields.ts";

export interface Difference {
  /** One sentence: the fact in the document. */
  readonly message: string;
  /** One sentence: the mend. */
  readonly hint: string;
  /** False where it only costs a request. */
  readonly matters: boolean;
}

export interface LiveFacts {
  readonly live: Pick<Contract, "create" | "get">;
  /** The contract of the project; undefined where there is none. */
  readonly pulled: Pick<Contract, "create"> | undefined;
  /** The header that names the account, in lower case. */
  readonly accountHeader: string;
  /** The settings that choose it. */
  readonly accountHeaderPlaces: string;
  /** False where the account of the settings is none. */
  readonly sendsAccount: boolean;
}

export function compareWithLive(facts: LiveFacts): readonly Difference[] {
  const { create, get } = facts.live;
  const pulled = new Set(facts.pulled && bodyRules(facts.pulled.create).map(({ text }) => text));
  const rules = bodyRules(create).filter((rule) => !isBuiltIn(rule) && !isSent(rule, facts));
  return [
    ...judgeCall("a create", create, facts),
    ...judgeCall("a read", get, facts),
    ...judgeAnswer("a create", create, "201"),
    ...judgeAnswer("a read", get, "200"),
    ...judgeNotFound(get),
    ...rules.flatMap((rule) => judgeRule(rule, pulled.has(rule.text))),
  ];
}

const harmful = (message: string, hint: string): Difference => ({ message, hint, matters: true });

/** Whether the settings satisfy a rule that definitions do not. */
function isSent({ field, keyword }: Rule, { sendsAccount }: LiveFacts): boolean {
  return field === "services[].accountId" && keyword === "required" && sendsAccount;
}

function judgeRule(rule: Rule, isPulled: boolean): readonly Difference[] {
  const { field, keyword, schema, text } = rule;
  const missing = keyword === "no-other-fields" ? missingIn(field, schema) : [];
  if (field === "" && missing.join() === "id")
    return [{ message: "a create has no field id", hint: withoutId, matters: false }];
  const isImpossible = missing.some(
    (name) => name !== "id" && isAlwaysSent(field ? `${field}.${name}` : name),
  );
  if (isImpossible || cannotSatisfy(rule)) return [harmful(text, cannot)];
  return isPulled ? [] : [harmful(text, pull)];
}

const pull =
  "run incident contract pull: from then on, a definition that breaks it is refused before it is sent";
const cannot = "incident cannot satisfy it: a newer version may";
const withoutId = "incident sends a create again without it when it is refused";

/** The fields of a definition that the schema does not have. */
function missingIn(field: string, { properties = {} }: RuleSchema): readonly string[] {
  return fieldsOf(ownRules(field) ?? {}).filter((name) => !Object.hasOwn(properties, name));
}

function cannotSatisfy({ field, keyword, schema }: Rule): boolean {
  if (keyword === "required") return ownRules(field) === undefined;
  if (!isAlwaysSent(field)) return false;
  const values = ownRules(field)?.enum;
  const isOther = values !== undefined && !values.some((value) => schema.enum?.includes(value));
  return keyword === "type" || (keyword === "enum" && isOther);
}

const newer = "incident cannot send it so: a newer version may";

function* judgeCall(
  name: "a create" | "a read",
  operation: ContractOperation,
  { accountHeader, accountHeaderPlaces, sendsAccount }: LiveFacts,
): Generator<Difference> {
  const headers = operation.parameters.filter((each) => each.in === "header" && !sentHeaders.test(each.name));
  const account =
    headers.find((header) => header.name.toLowerCase() === accountHeader) ??
    (sendsAccount ? undefined : headers.find((header) => accountHeaderPattern.test(header.name)));
  const chooseHeader = `set ${accountHeaderPlaces}, to the one that names the account`;
  if (sendsAccount && headers.length > 0 && account === undefined) {
    const message = `${name} has no header ${accountHeader}, but ${headers.map((header) => header.name).join(", ")}`;
    yield harmful(message, chooseHeader);
    return;
  }
  if (account?.required && !sendsAccount) {
    const isChosen = account.name.toLowerCase() === accountHeader;
    yield harmful(
      `${name} needs the header ${account.name}`,
      `set the account in the settings; it is none now${isChosen ? "" : `; and ${chooseHeader}`}`,
    );
  }
  for (const { builtIn, isPath, rule } of requestRules(
    name,
    operation,
    account?.name.toLowerCase() ?? accountHeader,
  ))
    if (!builtIn) yield harmful(rule, isPath ? `${newer}; check that the base URL is right` : newer);
}

function judgeAnswer(name: string, { answers }: ContractOperation, success: string): readonly Difference[] {
  const statuses = Object.keys(answers);
  const covers = (status: string) => status === "default" || status.toLowerCase() === `${success[0]}xx`;
  const status = statuses.find((each) => each === success) ?? statuses.find(covers);
  if (statuses.length > 0 && status === undefined) {
    const hint = `incident takes ${success} alone for success, and looks for the incident after any other answer`;
    return [harmful(`${name} is answered with ${statuses.join(", ")}, and not with ${success}`, hint)];
  }
  const schema = ownValue(answers, status ?? "") ?? {};
  const field = (parent: RuleSchema, name: string) => propertiesOf(parent).get(name);
  const statesNone = (part: RuleSchema) => propertiesOf(part).size === 0;
  if (unwrap(schema, field, (part) => statesNone(part) || propertiesOf(part).has("id"))) return [];
  const hint = "incident cannot read it: look after each create, and check for a newer version";
  return [
    harmful(`the answer to ${name} has no id, but ${[...propertiesOf(schema).keys()].join(", ")}`, hint),
  ];
}

/** The tool tells a 404 of the service from one of a proxy by its shape (spec 7). */
function judgeNotFound({ answers }: ContractOperation): readonly Difference[] {
  const fields = [...propertiesOf(ownValue(answers, "404") ?? {}).keys()];
  if (fields.length === 0 || ["statusCode", "error"].every((field) => fields.includes(field))) return [];
  const hint =
    "incident takes it for the answer of a proxy, so that it cannot tell that an incident does not exist";
  return [harmful(`the answer 404 to a read has other fields than spec 7: ${fields.join(", ")}`, hint)];
}
