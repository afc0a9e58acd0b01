// The contract that `incident contract pull` writes, from a document: its operations, and the rules that a definition can
// satisfy. It needs a validator, so only a command about a contract loads it.
import { Validator } from "@cfworker/json-schema";
import { type Field, fieldAt, incidentFields, serviceFields, updateFields } from "../incident/definition.ts";
import { maxNameLength } from "../incident/values.ts";
import { isMapping, ownValue } from "../untrusted-data.ts";
import type { Contract, Operations } from "./contract.ts";
import { findOperations } from "./find-operations.ts";
import { type JsonSchema, listRules, type Rule, type RuleKeyword } from "./json-schema.ts";
import { findCreate, operationsIn, readOperation, rootOf } from "./open-api.ts";

export type LiveContract = ReturnType<typeof contractOf>;

/**
 * Throws a `ContractError` for a document that is no OpenAPI document, or lacks the create. `leftOut`, in words: the rules
 * that no definition can satisfy.
 */
export function contractOf(document: unknown) {
  const root = rootOf(document);
  const impossible: string[] = [];
  /** The rules that a definition can satisfy: no correction of it would help against the others. */
  const possible = (body: JsonSchema, field = "") => {
    const rules = listRules(body, field).filter(isImpossible);
    impossible.push(...rules.map(({ text }) => text));
    return withoutRules(body, rules) as JsonSchema;
  };
  const { body } = readOperation(root, findCreate(operationsIn(root)));
  const { addUpdate, ...others } = findOperations(document);
  const create: Contract["create"] = body === undefined ? {} : { body: possible(body) };
  const operations: Operations = {
    ...(addUpdate && { addUpdate: { ...addUpdate, body: possible(addUpdate.body, "incidentUpdates[]") } }),
    ...others,
  };
  return {
    ...{ create, operations },
    leftOut: [...new Set(impossible)],
  };
}

function withoutRules(value: unknown, rules: readonly Rule[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutRules(each, rules));
  if (!isMapping(value)) return value;
  const own = rules.filter(({ schema }) => schema === value);
  const names = own.map(({ keyword }) => keyword as string);
  const fields = own.filter(({ keyword }) => keyword === "required").map((rule) => lastOf(rule.field));
  const required = (value as JsonSchema).required?.filter((name) => !fields.includes(name)) ?? [];
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  const entries = kept.map(([name, each]) => [name, withoutRules(each, rules)]);
  return { ...Object.fromEntries(entries), ...(required.length > 0 && { required }) };
}

const lastOf = (field: string) => field.slice(field.lastIndexOf(".") + 1);

/** Whether no value satisfies the rule beside the built-in ones, or beside the values that the document itself lists. */
function isImpossible({ field, keyword, schema }: Rule): boolean {
  const own = fieldAt(field);
  if (keyword === "required") return own === undefined;
  if (keyword === "additionalProperties") return lacksField(field, schema);
  if (!tried.includes(keyword)) return false;
  const rule = { [keyword]: schema[keyword] };
  const isNone = (values: readonly unknown[]) =>
    values.length > 0 && !values.some((value) => new Validator(rule, "2020-12").validate(value).valid);
  const isAboutSome = keyword === "enum" && !own?.values;
  return (!isAboutSome && isNone(samplesOf(field))) || isNone(schema.enum ?? []);
}

/** Whether a mapping of these fields alone lacks one that is always sent. */
function lacksField(field: string, { properties = {} }: JsonSchema): boolean {
  const tables = { "services[]": serviceFields, "incidentUpdates[]": updateFields };
  const own = ownValue(tables, field) ?? incidentFields;
  const sent = own.filter(({ isRequired, name }) => isRequired || name === "notifySubscribers");
  return sent.some(({ name }) => !Object.hasOwn(properties, name));
}

/** The keywords that a value shows as one that no value satisfies. */
const tried: readonly RuleKeyword[] = ["type", "enum", "minLength", "maxLength"];

/** The extremes of the values of each kind. */
const samples: Readonly<Partial<Record<NonNullable<Field["kind"]>, readonly unknown[]>>> = {
  visible: ["a", "a".repeat(100_000)],
  line: ["a", "a".repeat(maxNameLength)],
  guid: ["00000000-0000-4000-8000-000000000000"],
  date: ["2026-03-01"],
  dateOrNull: ["2026-03-01"],
  dateTime: ["2026-03-01T09:30:00Z"],
  boolean: [true],
  integer: [1],
};

function samplesOf(field: string): readonly unknown[] {
  const own = fieldAt(field);
  if (own === undefined) return [{}];
  return own.entries ? [[{}]] : (own.values ?? samples[own.kind ?? "visible"] ?? []);
}
