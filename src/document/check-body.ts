// Checks the bodies of a definition's requests against a contract, with the fields that the tool fills in.
import { Validator } from "@cfworker/json-schema";
import type { Path, Problem } from "../diagnostic.ts";
import { createBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { definitionSchema } from "../incident/schemas.ts";
import { isGuid } from "../rules/forms.ts";
import { nameOf, schemaAt, wordsFor } from "../rules/messages.ts";
import { quote } from "../rules/quote.ts";
import { codePointLength } from "../text/lengths.ts";
import { fieldOf, isMapping, ownValue } from "../untrusted-data.ts";
import type { AddUpdate, Contract } from "./contract.ts";
import { type JsonSchema, stepsOf } from "./json-schema.ts";
import { updateBody } from "./update-body.ts";

/** Returns the rules that a definition, which can have errors, breaks, each with the path of the value or the missing field. */
export type CheckBody = ReturnType<typeof createBodyCheck>;

/** Stands for an id or account that is only known when the body is sent. */
const unknownGuid = "00000000-0000-4000-8000-000000000000";

/** `given` is the account of the settings; undefined where it is not known yet. One that is no GUID can be the key. */
export function createBodyCheck({ create: { body }, operations }: Contract, given = unknownGuid) {
  const { addUpdate } = operations;
  const account = given === "none" ? undefined : isGuid(given) ? given : unknownGuid;
  return (definition: unknown) => {
    if (!isMapping(definition)) return [];
    const whole = createBody(definition as Definition, (definition.id ?? unknownGuid) as string, account);
    const { incidentUpdates: updates } = whole;
    if (addUpdate === undefined || !Array.isArray(updates)) return check(body, whole, []);
    // The first update is in the create, and each other one is a request of its own.
    const later = updates.slice(1).flatMap((update, at) => checkUpdate(addUpdate, update, at + 1));
    return [...check(body, { ...whole, incidentUpdates: updates.slice(0, 1) }, []), ...later];
  };
}

/** `at`: the place of the update in a definition. */
export function checkUpdate(operation: AddUpdate, update: unknown, at: number) {
  if (!isMapping(update)) return [];
  // The id of a person is checked, although it may be left out.
  const { notifySubscribers, ...written } = update;
  const whole = {
    ...written,
    ...updateBody(operation, update as unknown as Update),
    ...(notifySubscribers === true && { notifySubscribers }),
  };
  return check(operation.body, whole, ["incidentUpdates", at]);
}

/** Checks the value at a path of a definition. Reports at most one broken rule for each part of the value. */
function check(schema: JsonSchema, value: unknown, at: Path) {
  const sent: unknown = JSON.parse(JSON.stringify(value) ?? "null");
  const broken = breaksOf(schema, sent, at).map(problemOf);
  const found = new Map(broken.reverse().map((each) => [JSON.stringify(each.path), each]));
  // No rule about an id is broken: the tool sends no id to a service that refuses one.
  return [...found.values()].reverse().filter(({ part, path }) => !(part === "key" && path.join() === "id"));
}

/** `keyword`, `rules`: the rule, and the schema that has it. `name`: of a field that is missing, or that it does not take. */
export type Break = ReturnType<typeof breaksOf>[number];

/** The broken rules of the value at a path of a definition, without the parts of another broken rule. */
export function breaksOf(schema: JsonSchema, whole: unknown, at: Path) {
  const { errors } = new Validator(schema as object, "2020-12", false).validate(whole);
  const forms = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const own = errors.filter(
    ({ keyword, keywordLocation: place }) =>
      !["properties", "items", "allOf", "false"].includes(keyword) &&
      !forms.some((form) => place.startsWith(`${form.keywordLocation}/`)),
  );
  return own.flatMap(({ instanceLocation, keyword, keywordLocation }) => {
    const rules = (valueAt(schema, stepsOf(keywordLocation).slice(0, -1)) ?? {}) as JsonSchema;
    const steps = stepsOf(instanceLocation);
    const value = valueAt(whole, steps);
    const isEntry = (index: number) => Array.isArray(valueAt(whole, steps.slice(0, index)));
    const path = [...at, ...steps.map((step, index) => (isEntry(index) ? Number(step) : step))];
    const { properties = {}, required = [] } = rules;
    const fields = Object.keys(isMapping(value) ? value : {});
    const others = fields.filter((name) => !Object.hasOwn(properties, name));
    const missing = required.filter((name) => !fields.includes(name));
    const names =
      keyword === "required" ? missing : keyword === "additionalProperties" ? others : [undefined];
    return names.map((name) => ({ keyword, rules, path, value, name }));
  });
}

export function requirement({ keyword, name, path, rules }: Break): string {
  const parent = nameOf(path, "");
  if (keyword === "required") return `the service requires ${name}${parent && ` in ${parent}`}`;
  if (keyword === "additionalProperties")
    return `the service requires that ${name} is left out${parent && ` of ${parent}`}`;
  return `the service requires ${ruleIn(keyword, rules)} of ${parent || "the definition"}`;
}

function ruleIn(keyword: string, rules: JsonSchema): string {
  const value = ownValue(rules, keyword);
  if (!Array.isArray(value)) return isMapping(value) ? keyword : `${keyword} ${value}`;
  return isMapping(value[0]) ? `${keyword} of ${value.length} schemas` : `${keyword} ${value.join(", ")}`;
}

function problemOf(own: Break): Problem {
  const { keyword, name, path: parent, rules, value } = own;
  const path = name === undefined ? parent : [...parent, name];
  if (keyword === "required")
    return { code: "contract", path, message: requirement(own), hint: hintForMissing(path) };
  if (keyword === "additionalProperties")
    return { code: "contract", path, part: "key", message: requirement(own), hint: "remove it" };
  const message = `${requirement(own)}, which ${found(keyword, value)}`;
  const hint = `change it to fit ${ruleIn(keyword, rules)}, a rule of the service in incident.contract.json`;
  const limit = keyword === "maxLength" && { mostCharacters: rules.maxLength };
  return { code: "contract", path, message, hint, ...limit };
}

function found(keyword: string, value: unknown): string {
  if (!/^m.*(?:Length|Items|Properties)$/.test(keyword)) return `is ${quote(value)}`;
  return `has ${typeof value === "string" ? codePointLength(value) : Object.keys(Object(value)).length}`;
}

function hintForMissing(path: Path): string {
  const own = schemaAt(definitionSchema(), path);
  if (path[0] === "services" && path.length === 3 && path[2] === "accountId")
    return "add it, or name the account that it belongs to with --account GUID";
  if (own === undefined)
    return "incident cannot send this field; --ignore-contract sends the incident without it";
  return wordsFor({ path, rule: "missing", schema: own, value: undefined }, "").hint;
}

function valueAt(whole: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(fieldOf, whole);
}
