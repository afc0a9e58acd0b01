// Where a rule of a service's document stands beside the rule that definitions have anyway: it is satisfied by every
// definition, or by none, or it is one more. It needs a validator, so only a command about a contract loads it.
import { Validator } from "@cfworker/json-schema";
import { filledIn } from "../incident/create-body.ts";
import { formats, isFreeText } from "../rules/formats.ts";
import { type RuleSchema, typesOf } from "../rules/rule-schema.ts";
import { isMapping } from "../untrusted-data.ts";
import { listRules, ownRules, type Rule, type RuleKeyword } from "./rules.ts";

export function addedRules(schema: RuleSchema = {}, field = ""): readonly Rule[] {
  return listRules(schema, field).filter((rule) => standing(rule) !== "built-in");
}

/** The added rules that `others` do not have. */
export function missingRules(
  schema: RuleSchema | undefined,
  others: RuleSchema | undefined,
): readonly Rule[] {
  const texts = new Set(addedRules(others).map(({ text }) => text));
  return addedRules(schema).filter(({ text }) => !texts.has(text));
}

/**
 * The rules without those that no value satisfies beside the built-in ones, or beside the values that the document lists
 * itself: no correction of a definition would help. `removed`: those, in words.
 */
export function withoutImpossible(body: RuleSchema, field = "") {
  const rules = listRules(body, field).filter((rule) => standing(rule) === "impossible");
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (!isMapping(value)) return value;
    const own = rules.filter(({ schema }) => schema === value);
    const names = own.map(({ keyword }) => keyword as string);
    const fields = own.filter(({ keyword }) => keyword === "required").map((rule) => lastOf(rule.field));
    const required = (value as RuleSchema).required?.filter((name) => !fields.includes(name)) ?? [];
    const kept = Object.entries(value).filter(([name]) => !names.includes(name));
    const entries = kept.map(([name, each]) => [name, without(each)]);
    return { ...Object.fromEntries(entries), ...(required.length > 0 && { required }) };
  };
  return {
    body: (rules.length === 0 ? body : without(body)) as RuleSchema,
    removed: rules.map(({ text }) => text),
  };
}

const parentOf = (field: string) => field.slice(0, Math.max(0, field.lastIndexOf(".")));
const lastOf = (field: string) => field.slice(field.lastIndexOf(".") + 1);

function standing({ field, keyword, schema }: Rule): "built-in" | "impossible" | "added" {
  const own = ownRules(field);
  if (keyword === "required") {
    if (own === undefined) return "impossible";
    const isWritten = ownRules(parentOf(field))?.required?.includes(lastOf(field));
    return isWritten || (filledIn.includes(field) && lastOf(field) !== "accountId") ? "built-in" : "added";
  }
  if (own === undefined) return "added";
  if (keyword === "additionalProperties") return standingOfFields(field, own, schema);
  const [fits, listed] = [samplesOf(own), schema.enum ?? []].map((values) =>
    triesOf(values, keyword, schema),
  );
  const isNone = (tries: readonly boolean[] = []) => tries.length > 0 && !tries.includes(true);
  const isAboutSome = ["format", "minItems"].includes(keyword) || (keyword === "enum" && !own.enum);
  if ((isNone(fits) && !isAboutSome) || isNone(listed)) return "impossible";
  return fits?.every((fit) => fit) && fits.length > 0 ? "built-in" : "added";
}

/** A create is sent again without an id to a service that refuses one. */
function standingOfFields(field: string, { properties = {}, required = [] }: RuleSchema, schema: RuleSchema) {
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  const isAlways = (name: string) => required.includes(name) || name === "notifySubscribers";
  if (missing.some(isAlways)) return "impossible";
  return missing.every((name) => field === "" && name === "id") ? "built-in" : "added";
}

/** The keywords that an accepted value shows as a built-in rule, or as one that no value satisfies. */
const tried: readonly RuleKeyword[] = ["type", "enum", "format", "minLength", "maxLength", "minItems"];

/** Whether each of the values satisfies the rule. */
function triesOf(values: readonly unknown[], keyword: RuleKeyword, schema: RuleSchema): readonly boolean[] {
  if (!tried.includes(keyword)) return [];
  const rule = { [keyword]: schema[keyword as keyof RuleSchema] };
  return values.map((value) => new Validator(rule as object, "2020-12").validate(value).valid);
}

/** The extremes of the values that the rules accept. */
function samplesOf({ enum: values, format, maxLength, ...own }: RuleSchema): readonly unknown[] {
  const [type] = typesOf(own);
  if (values !== undefined) return values;
  if (format === "uuid") return ["00000000-0000-4000-8000-000000000000"];
  if (format !== undefined && !isFreeText(format)) return [formats[format].example];
  return {
    string: ["a", "a".repeat(maxLength ?? 100_000)],
    array: [[{}]],
    object: [{}],
    boolean: [true],
    integer: [1],
    number: [1],
    null: [],
  }[type ?? "null"];
}
