// The contract that `incident contract pull` writes, from a document. A rule of it is satisfied by every definition, or by
// none, or it is one more. It needs a validator, so only a command about a contract loads it.
import { Validator } from "@cfworker/json-schema";
import { filledIn } from "../incident/create-body.ts";
import { fieldAt, incidentFields, serviceFields, updateFields } from "../incident/definition.ts";
import type { Kinds } from "../incident/field.ts";
import { maxNameLength } from "../incident/values.ts";
import { isMapping, ownValue } from "../untrusted-data.ts";
import type { Contract } from "./contract.ts";
import { findOperations } from "./find-operations.ts";
import type { JsonSchema } from "./json-schema.ts";
import { findCreate, operationsIn, readOperation, rootOf } from "./open-api.ts";
import type { Operations } from "./operations.ts";
import { isKnown, listRules, type Rule, type RuleKeyword } from "./rules.ts";

export interface LiveContract extends Pick<Contract, "create"> {
  readonly operations: Operations;
  /** The rules that are left out because no regular expression from outside is run, in words. */
  readonly patterns: readonly string[];
  /** The rules that are left out because no definition can satisfy them, in words. */
  readonly impossible: readonly string[];
}

/** Throws a `ContractError` for a document that is no OpenAPI document, or lacks the create. */
export function contractOf(document: unknown): LiveContract {
  const root = rootOf(document);
  const patterns: string[] = [];
  const { body } = readOperation(root, findCreate(operationsIn(root)), (rule) => patterns.push(rule));
  const { addUpdate, ...others } = findOperations(document);
  const created = withoutImpossible(body ?? {});
  const added = withoutImpossible(addUpdate?.body ?? {}, "incidentUpdates[]");
  return {
    create: body === undefined ? {} : { body: created.body },
    operations: { ...(addUpdate && { addUpdate: { ...addUpdate, body: added.body } }), ...others },
    patterns: [...new Set(patterns)],
    impossible: [...new Set([...created.removed, ...added.removed])],
  };
}

export function addedRules(schema: JsonSchema = {}, field = ""): readonly Rule[] {
  return listRules(schema, field).filter((rule) => standing(rule) !== "built-in");
}

/**
 * The rules without those that no value satisfies beside the built-in ones, or beside the values that the document lists
 * itself: no correction of a definition would help. `removed`: those, in words.
 */
function withoutImpossible(body: JsonSchema, field = "") {
  const rules = listRules(body, field).filter((rule) => standing(rule) === "impossible");
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (!isMapping(value)) return value;
    const own = rules.filter(({ schema }) => schema === value);
    const names = own.map(({ keyword }) => keyword as string);
    const fields = own.filter(({ keyword }) => keyword === "required").map((rule) => lastOf(rule.field));
    const required = (value as JsonSchema).required?.filter((name) => !fields.includes(name)) ?? [];
    const kept = Object.entries(value).filter(([name]) => !names.includes(name));
    const entries = kept.map(([name, each]) => [name, without(each)]);
    return { ...Object.fromEntries(entries), ...(required.length > 0 && { required }) };
  };
  return {
    body: (rules.length === 0 ? body : without(body)) as JsonSchema,
    removed: rules.map(({ text }) => text),
  };
}

const lastOf = (field: string) => field.slice(field.lastIndexOf(".") + 1);

function standing({ field, keyword, schema }: Rule): "built-in" | "impossible" | "added" {
  const own = fieldAt(field);
  if (keyword === "required") {
    if (own === undefined) return "impossible";
    const isSent = filledIn.includes(field) && lastOf(field) !== "accountId";
    return own.isRequired || isSent ? "built-in" : "added";
  }
  if (!isKnown(field)) return "added";
  if (keyword === "additionalProperties") return standingOfFields(field, schema);
  const [fits, listed] = [samplesOf(field), schema.enum ?? []].map((values) =>
    triesOf(values, keyword, schema),
  );
  const isNone = (tries: readonly boolean[] = []) => tries.length > 0 && !tries.includes(true);
  const isAboutSome = ["format", "minItems"].includes(keyword) || (keyword === "enum" && !own?.values);
  if ((isNone(fits) && !isAboutSome) || isNone(listed)) return "impossible";
  return fits?.every((fit) => fit) && fits.length > 0 ? "built-in" : "added";
}

/** A create is sent again without an id to a service that refuses one. */
function standingOfFields(field: string, schema: JsonSchema) {
  const tables = { "services[]": serviceFields, "incidentUpdates[]": updateFields };
  const own = ownValue(tables, field) ?? incidentFields;
  const missing = own.filter(({ name }) => !Object.hasOwn(schema.properties ?? {}, name));
  if (missing.some(({ isRequired, name }) => isRequired || name === "notifySubscribers")) return "impossible";
  return missing.every(({ name }) => field === "" && name === "id") ? "built-in" : "added";
}

/** The keywords that an accepted value shows as a built-in rule, or as one that no value satisfies. */
const tried: readonly RuleKeyword[] = ["type", "enum", "format", "minLength", "maxLength", "minItems"];

/** Whether each of the values satisfies the rule. */
function triesOf(values: readonly unknown[], keyword: RuleKeyword, schema: JsonSchema): readonly boolean[] {
  if (!tried.includes(keyword)) return [];
  const rule = { [keyword]: schema[keyword as keyof JsonSchema] };
  return values.map((value) => new Validator(rule as object, "2020-12").validate(value).valid);
}

/** The extremes of the values of each kind. */
const samples: Readonly<Record<keyof Kinds, readonly unknown[]>> = {
  text: ["a", "a".repeat(100_000)],
  headline: ["a", "a".repeat(maxNameLength)],
  guid: ["00000000-0000-4000-8000-000000000000"],
  day: ["2026-03-01"],
  "day or null": ["2026-03-01"],
  time: ["2026-03-01T09:30:00Z"],
  boolean: [true],
  integer: [1],
};

function samplesOf(field: string): readonly unknown[] {
  const own = fieldAt(field);
  if (own === undefined) return [{}];
  return own.entries ? [[{}]] : (own.values ?? samples[own.kind ?? "text"]);
}
