// Checks the requests of a definition against a contract: the bodies that would be sent, with the fields that the tool
// fills in.
import { type OutputUnit, Validator } from "@cfworker/json-schema";
import type { DiagnosticMessage, Path } from "../diagnostic.ts";
import { createBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { definitionSchema } from "../incident/schemas.ts";
import { exampleOf, plainExample, schemaAt } from "../rules/facts.ts";
import { flow, quote } from "../rules/quote.ts";
import { codePointLength } from "../text/lengths.ts";
import { decodePercent, fieldOf, isMapping } from "../untrusted-data.ts";
import type { Contract } from "./contract.ts";
import { propertiesOf } from "./json-schema.ts";
import type { AddUpdate } from "./operations.ts";
import { describeRule, type RuleKeyword } from "./rules.ts";
import type { JsonSchema } from "./schema.ts";
import { updateBody } from "./update-body.ts";

export interface BrokenRule extends DiagnosticMessage {
  /** The path of the value in the definition, or of the field that is missing. */
  readonly path: Path;
  readonly isName: boolean;
}

/** Takes a definition, or the value of one with errors, and returns the rules that it breaks. */
export type CheckBody = (definition: unknown) => readonly BrokenRule[];

/** Stands for an id or account that is only known when the body is sent. */
export const unknownGuid = "00000000-0000-4000-8000-000000000000";

/** `account` is the account of the settings; undefined where none is sent. */
export function createBodyCheck({ create, operations }: Contract, account: string | undefined): CheckBody {
  if (create.body === undefined) return () => [];
  const check = createCheck(create.body);
  const checkUpdate = operations?.addUpdate && createUpdateCheck(operations.addUpdate);
  return (definition) => {
    const whole = isMapping(definition)
      ? createBody(definition as Definition, (definition.id ?? unknownGuid) as string, account)
      : definition;
    const updates = fieldOf(whole, "incidentUpdates");
    // The first update is in the create, and each other one is a request of its own.
    const isSplit = checkUpdate !== undefined && isMapping(whole) && Array.isArray(updates);
    const created = isSplit ? { ...whole, incidentUpdates: updates.slice(0, 1) } : whole;
    const later = isSplit ? updates.slice(1) : [];
    return [...check(created, []), ...later.flatMap((update, at) => checkUpdate?.(update, at + 1) ?? [])];
  };
}

/** Takes an update of a definition, and its place there. */
export function createUpdateCheck(
  operation: Pick<AddUpdate, "body">,
): (update: unknown, at: number) => readonly BrokenRule[] {
  const check = createCheck(operation.body);
  const named = propertiesOf(operation.body);
  return (update, at) => {
    if (!isMapping(update)) return [];
    // Where the document names an id, one is sent. The id of a person is checked, although it may be left out.
    const { notifySubscribers, ...written } = update;
    const whole = {
      ...(named.has("id") && { id: unknownGuid }),
      ...written,
      ...updateBody(operation, update as unknown as Update),
      ...(notifySubscribers === true && { notifySubscribers }),
    };
    return check(whole, ["incidentUpdates", at]);
  };
}

/** The check of the value at a path of a definition. It reports at most one broken rule for each part of the value. */
function createCheck(schema: JsonSchema): (value: unknown, at: Path) => readonly BrokenRule[] {
  return (value, at) => {
    const sent: unknown = JSON.parse(JSON.stringify(value) ?? "null");
    const found = new Map<string, BrokenRule>();
    for (const broken of errorsOf(schema, sent).flatMap((error) => brokenRules(error, schema, sent, at))) {
      const key = JSON.stringify(broken.path);
      // The tool sends no id to a service that refuses one.
      if (!found.has(key) && !(broken.isName && key === '["id"]')) found.set(key, broken);
    }
    return [...found.values()];
  };
}

/** The errors that are not parts of another one. Of more than fit into a call, the first. */
function errorsOf(schema: JsonSchema, value: unknown): readonly OutputUnit[] {
  const validate = (isFirst: boolean) =>
    new Validator(schema as object, "2020-12", isFirst).validate(value).errors;
  let errors: readonly OutputUnit[];
  try {
    errors = validate(false);
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    errors = validate(true);
  }
  const forms = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  return errors.filter(
    ({ keyword, keywordLocation: place }) =>
      !["properties", "items", "allOf", "false"].includes(keyword) &&
      !forms.some((form) => place.startsWith(`${form.keywordLocation}/`)),
  );
}

function brokenRules(error: OutputUnit, schema: JsonSchema, whole: unknown, at: Path): readonly BrokenRule[] {
  const keyword = error.keyword as RuleKeyword;
  const rules = (valueAt(schema, stepsOf(error.keywordLocation).slice(0, -1)) ?? {}) as JsonSchema;
  const steps = stepsOf(error.instanceLocation);
  const value = valueAt(whole, steps);
  const path = [...at, ...steps.map((step, index) => (isInList(whole, steps, index) ? Number(step) : step))];
  const parent = path.length === 0 ? "" : nameOf(path);
  if (keyword === "required") {
    const missing = (rules.required ?? []).filter((name) => !Object.hasOwn(value as object, name));
    return missing.map((name) => ({
      path: [...path, name],
      isName: false,
      message: `the service requires ${name}${parent && ` in ${parent}`}`,
      hint: hintForMissing([...path, name]),
    }));
  }
  if (keyword === "additionalProperties") {
    const others = Object.keys(value as object).filter(
      (name) => !Object.hasOwn(rules.properties ?? {}, name),
    );
    return others.map((name) => ({
      path: [...path, name],
      isName: true,
      message: `the service requires that ${name} is left out${parent && ` of ${parent}`}`,
      hint: "remove it",
    }));
  }
  const rule = describeRule(keyword, rules);
  const size = keyword.endsWith("Length")
    ? codePointLength(String(value))
    : Object.keys(Object(value)).length;
  const found = /^m.*(?:Length|Items|Properties)$/.test(keyword) ? `has ${size}` : `is ${quote(value)}`;
  return [
    {
      path,
      isName: false,
      ...(keyword === "maxLength" && { mostCharacters: rules.maxLength }),
      message: `the service requires ${rule} of ${parent || "the definition"}, which ${found}`,
      hint: `change it to fit ${rule}, a rule of the service in incident.contract.json`,
    },
  ];
}

function hintForMissing(path: Path): string {
  const own = schemaAt(definitionSchema(), path);
  if (path[0] === "services" && path.length === 3 && path[2] === "accountId")
    return "add it, or name the account that it belongs to with --account GUID";
  if (own === undefined)
    return "incident cannot send this field; --ignore-contract sends the incident without it";
  return `add it, for example ${path.at(-1)}: ${flow(exampleOf(own) ?? plainExample(own))}`;
}

/** `entry 1 of services`, or `name`. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  return typeof last === "number" ? `entry ${last + 1} of ${path.at(-2)}` : String(last);
}

function stepsOf(pointer: string): readonly string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => (decodePercent(step) ?? step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(whole: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(fieldOf, whole);
}

function isInList(whole: unknown, steps: readonly string[], index: number): boolean {
  return Array.isArray(valueAt(whole, steps.slice(0, index)));
}
