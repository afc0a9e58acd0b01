// Schemas of an OpenAPI document as plain JSON Schema: without references, `nullable` and the keywords of vendors. Patterns
// are left out, because no regular expression from outside is run.

import { decodePercent, defined, entriesOf, type Fields, fieldOf, isMapping } from "../untrusted-data.ts";
import { ContractError, contractBounds } from "./contract-terms.ts";

/** A JSON Schema, with types for the keywords that are read here. */
export interface JsonSchema extends Fields {
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

const types: readonly unknown[] = ["string", "integer", "number", "boolean", "object", "array", "null"];
const formats: readonly unknown[] = [
  ...["uuid", "date", "date-time", "time"],
  ...["email", "uri", "hostname", "ipv4", "ipv6"],
];
const plainKeywords: readonly string[] = [
  ...["uniqueItems", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
];

/** The steps of a pointer such as `#/components/schemas/Service`. */
export function stepsOf(pointer: string): readonly string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => (decodePercent(step) ?? step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value with its references followed; undefined where one leads to nothing in the document. */
export function follow(root: Fields, value: unknown): unknown {
  let current = value;
  // A chain of 50 references is a cycle.
  for (let step = 0; step < 50; step += 1) {
    const reference = fieldOf(current, "$ref");
    if (typeof reference !== "string") return current;
    if (reference.split("/")[0] !== "#") return undefined;
    current = stepsOf(reference).reduce<unknown>(fieldOf, root);
  }
  return undefined;
}

/** A part of `root` as a schema. A request needs no field that is read only. Throws a `ContractError` over the bounds. */
export function toSchema(schema: unknown, root: Fields): JsonSchema {
  let schemas = 0;

  function walk(given: unknown, parents: readonly unknown[]): JsonSchema {
    schemas += 1;
    if (schemas > contractBounds.schemas)
      throw new ContractError(`has more than ${contractBounds.schemas} schemas for one operation`);
    if (given === false) return { not: {} };
    const node = follow(root, given);
    // A reference to nothing allows anything, and so does a schema inside itself, so that a cycle ends.
    if (!isMapping(node) || parents.includes(node) || parents.length >= contractBounds.depth) return {};
    const rules = rulesOf(translated(node), (part) => walk(part, [...parents, node]));
    // OpenAPI 3.0 has no keyword beside a reference, but documents write `nullable` there, and mean it.
    return [node, given].some((each) => fieldOf(each, "nullable") ?? fieldOf(each, "x-nullable"))
      ? withNull(rules)
      : rules;
  }

  function rulesOf(node: Fields, child: (part: unknown) => JsonSchema): JsonSchema {
    const named = [node.type].flat().filter((type) => types.includes(type));
    const { additionalProperties: others, properties } = node;
    const partsOf = (list: unknown) => (entriesOf(list).length > 0 ? entriesOf(list).map(child) : undefined);
    const isPlain = (value: unknown) => Number.isFinite(value) || value === true;
    const plain = Object.entries(node).filter(
      ([name, value]) => plainKeywords.includes(name) && isPlain(value),
    );
    const fields = Object.entries(isMapping(properties) ? properties : {}).filter(
      ([name]) => name !== "__proto__",
    );
    const readOnly = fields
      .filter(([, part]) => fieldOf(follow(root, part), "readOnly"))
      .map(([name]) => name);
    const required = entriesOf(node.required).filter(
      (name) => typeof name === "string" && name !== "__proto__" && !readOnly.includes(name),
    );
    return defined({
      type: named.length > 1 ? named : named[0],
      enum: valuesOf(node),
      format: formats.includes(node.format) ? node.format : undefined,
      ...Object.fromEntries(plain),
      items: isMapping(node.items) ? child(node.items) : undefined,
      properties:
        fields.length > 0 ? Object.fromEntries(fields.map(([name, part]) => [name, child(part)])) : undefined,
      required: required.length > 0 ? [...new Set(required)].sort() : undefined,
      additionalProperties: isMapping(others) ? child(others) : others === false ? false : undefined,
      allOf: partsOf(node.allOf),
      anyOf: partsOf(node.anyOf),
      oneOf: partsOf(node.oneOf),
      not: isMapping(node.not) ? child(node.not) : undefined,
    });
  }

  return walk(schema, []);
}

function withNull(rules: JsonSchema): JsonSchema {
  const { type, enum: values } = rules;
  if (rules.allOf ?? rules.anyOf ?? rules.oneOf) return { anyOf: [rules, { type: "null" }] };
  return {
    ...rules,
    ...(type !== undefined && { type: [...new Set([type, "null"].flat())] }),
    ...(values && { enum: [...new Set([...values, null])] }),
  };
}

/** The values of an enumeration; undefined for a list with mappings or lists in it, and for a long one. */
function valuesOf(node: Fields): readonly unknown[] | undefined {
  const given = node.const === undefined ? entriesOf(node.enum) : [node.const];
  const isScalar = (value: unknown) => typeof value !== "object" || value === null;
  const isUsable = given.length > 0 && given.length <= contractBounds.values;
  return isUsable && given.every(isScalar) ? [...new Set(given)] : undefined;
}

/** The keywords of vendors and of older versions as those of JSON Schema. */
function translated(given: Fields): Fields {
  const node = { ...given, ...vendorKeywords(given) };
  // Before JSON Schema draft 6, and so in OpenAPI 3.0, a boolean makes the bound beside it exclusive.
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum } = node;
  if (exclusiveMinimum === true) Object.assign(node, { exclusiveMinimum: minimum, minimum: undefined });
  if (exclusiveMaximum === true) Object.assign(node, { exclusiveMaximum: maximum, maximum: undefined });
  return node;
}

/** hapi-swagger writes the rules of Joi for which OpenAPI has no keyword as `x-constraint` and `x-format`. */
function vendorKeywords(node: Fields): Fields {
  const { "x-constraint": constraint, "x-format": format } = node;
  const { length, greater, less, sign, unique }: Fields = isMapping(constraint) ? constraint : {};
  const size = node.items || [node.type].flat().includes("array") ? "Items" : "Length";
  return defined({
    [`min${size}`]: length,
    [`max${size}`]: length,
    exclusiveMinimum: greater ?? (sign === "positive" ? 0 : undefined),
    exclusiveMaximum: less ?? (sign === "negative" ? 0 : undefined),
    uniqueItems: unique === undefined ? undefined : true,
    format: ["guid", "email", "uri", "hostname"]
      .find((name) => fieldOf(format, name))
      ?.replace("guid", "uuid"),
  });
}

/** The schema, and those in its allOf, anyOf and oneOf, at any depth. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap(formsOf)];
}

export function propertiesOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const entries = formsOf(schema).flatMap(({ properties = {} }) => Object.entries(properties));
  return new Map(entries.reverse());
}

/** The value of a keyword in the first form that has it. */
export function keywordOf<K extends "enum" | "format" | "items" | "minimum" | "type">(
  schema: JsonSchema,
  keyword: K,
): JsonSchema[K] | undefined {
  return formsOf(schema).find((form) => form[keyword] !== undefined)?.[keyword];
}
