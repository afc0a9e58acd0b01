// Normalizes a schema of an OpenAPI document (3.0, 3.1, Swagger 2.0) to rules: resolves references, and rewrites
// the forms of one version or vendor. Throws only at a bound.

import { entriesOf, fieldOf, ownValue } from "../../untrusted-data.ts";
import { pointerTo } from "../pointer.ts";
import {
  documentFormats,
  type JsonScalar,
  jsonTypes,
  limitKeywords,
  type RuleFormat,
  type RuleSchema,
} from "../rule-schema.ts";
import { ContractError, contractBounds } from "./contract.ts";

import { follow, type Located, type Node, nodeOf, textOf } from "./references.ts";
import { vendorKeywords } from "./vendor-rules.ts";

/** A rule of a document that is not judged: a reference to nothing, or a pattern, because no regular expression from outside is run. */
export type OmittedRule =
  | { readonly kind: "reference"; readonly at: string }
  | { readonly kind: "pattern"; readonly at: string; readonly pattern: string };

export function describeOmitted(rule: OmittedRule): string {
  return rule.kind === "reference"
    ? `the reference at ${rule.at} leads to nothing in the document`
    : `the pattern at ${rule.at} is not checked: ${rule.pattern.slice(0, 60)}`;
}

export interface NormalizeOptions {
  readonly root: unknown;
  /** A field for the other direction is left out: `readOnly` in a request, `writeOnly` in an answer. */
  readonly direction: "request" | "answer";
  /** Called for each rule that is left out. */
  readonly onOmitted: (rule: OmittedRule) => void;
}

/** Normalizes the part of a schema that the steps lead to. */
type NormalizeChild = (...steps: readonly (string | number)[]) => RuleSchema;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Throws a `ContractError` for a schema over the bounds. */
export function normalizeSchema(schema: Located, options: NormalizeOptions): RuleSchema {
  let schemas = 0;

  function walk(given: Located, parents: readonly unknown[]): RuleSchema {
    schemas += 1;
    if (schemas > contractBounds.schemas)
      throw new ContractError(`has more than ${contractBounds.schemas} schemas for one operation`);
    if (given.value === false) return { not: {} };
    const found = follow(options.root, given);
    if (found === undefined) {
      options.onOmitted({ kind: "reference", at: given.at });
      return {};
    }
    const node = nodeOf(found.value);
    // A schema inside itself allows anything there, so that a cycle ends.
    if (node === undefined || parents.includes(node) || parents.length >= contractBounds.depth) return {};
    const rules = normalizeNode(node, found.at, (...steps) => {
      const part = { value: steps.reduce<unknown>(fieldOf, node), at: steps.reduce(pointerTo, found.at) };
      return walk(part, [...parents, node]);
    });
    // OpenAPI 3.0 has no keyword beside a reference, but documents write `nullable` there, and mean it.
    const acceptsNull = [node, nodeOf(given.value)].some(
      (each) => each?.nullable === true || each?.["x-nullable"] === true,
    );
    const accepted = acceptsNull ? withNull(rules, found.at) : rules;
    return found.isReferred ? { "x-at": found.at, ...accepted } : accepted;
  }

  function normalizeNode(node: Node, at: string, child: NormalizeChild): RuleSchema {
    const rules: Mutable<RuleSchema> = {};
    const vendor = vendorKeywords(node);
    Object.assign(rules, typeOf(node), enumOf(node), numbersOf(node), numbersOf(vendor));
    const format = [node.format, vendor.format].find(isRuleFormat);
    if (format !== undefined) rules.format = format;
    const pattern = textOf(node.pattern) ?? textOf(vendor.pattern);
    if (pattern !== undefined) options.onOmitted({ kind: "pattern", at, pattern });
    if (nodeOf(node.items) !== undefined) rules.items = child("items");
    if ([node.uniqueItems, vendor.uniqueItems].includes(true)) rules.uniqueItems = true;
    Object.assign(rules, fieldsOf(node, child));
    for (const name of ["allOf", "anyOf", "oneOf", "x-alternatives"] as const) {
      const parts = entriesOf(node[name]).map((_, index) => child(name, index));
      if (name !== "x-alternatives" && parts.length > 0) rules[name] = parts;
      else if (parts.length > 0) rules.anyOf ??= parts;
    }
    if (nodeOf(node.not) !== undefined) rules.not = child("not");
    return rules;
  }

  function fieldsOf(node: Node, child: NormalizeChild): Partial<RuleSchema> {
    const hidden = options.direction === "request" ? "readOnly" : "writeOnly";
    const properties = new Map<string, RuleSchema>();
    const left = new Set<string>();
    for (const [name, value] of Object.entries(nodeOf(node.properties) ?? {})) {
      if (name === "__proto__") continue;
      if (nodeOf(follow(options.root, { value, at: "#" })?.value)?.[hidden] === true) left.add(name);
      properties.set(name, child("properties", name));
    }
    const required = entriesOf(node.required).filter(
      (name): name is string => typeof name === "string" && name !== "__proto__" && !left.has(name),
    );
    if (required.length > contractBounds.values) throw tooManyValues();
    const others = node.additionalProperties === undefined ? "unevaluatedProperties" : "additionalProperties";
    return {
      ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required: [...new Set(required)].sort() }),
      ...(node[others] === false && { additionalProperties: false }),
      ...(nodeOf(node[others]) !== undefined && { additionalProperties: child(others) }),
    };
  }

  return walk(schema, []);
}

function withNull(rules: RuleSchema, at: string): RuleSchema {
  const { type, enum: values, ...others } = rules;
  const combined = rules.allOf !== undefined || rules.anyOf !== undefined || rules.oneOf !== undefined;
  if (combined) return { anyOf: [{ "x-at": at, ...rules }, { type: "null" }] };
  const types = type === undefined ? undefined : [...new Set([...[type].flat(), "null" as const])];
  return {
    ...others,
    ...(types && { type: types }),
    ...(values && { enum: [...new Set([...values, null])] }),
  };
}

function typeOf({ type }: Node): Partial<RuleSchema> {
  const types = [type].flat().filter((name) => jsonTypes.some((known) => known === name));
  const [only] = types as RuleSchema["type"][];
  if (only === undefined) return {};
  return { type: types.length === 1 ? only : (types as RuleSchema["type"] & readonly string[]) };
}

function enumOf(node: Node): Partial<RuleSchema> {
  const given = node.const === undefined ? entriesOf(node.enum) : [node.const];
  if (given.length > contractBounds.values) throw tooManyValues();
  const values = given.filter(isScalar);
  // A list with other values is no rule that a definition can break in a known way.
  return values.length > 0 && values.length === given.length ? { enum: [...new Set(values)] } : {};
}

function numbersOf(node: Node): Partial<RuleSchema> {
  const numbers = new Map<string, number>();
  // A schema has few fields. A look at each keyword in each schema starts the optimizer of V8, for which the exit waits.
  for (const [name, value] of Object.entries(node)) {
    const least = ownValue(limitKeywords, name)?.smallest;
    if (least !== undefined && typeof value === "number" && Number.isFinite(value) && value >= least)
      numbers.set(name, value);
  }
  // Before JSON Schema draft 6, and so in OpenAPI 3.0, a boolean makes the bound beside it exclusive.
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const value = numbers.get(bound);
    if (node[flag] !== true || value === undefined) continue;
    numbers.set(flag, value);
    numbers.delete(bound);
  }
  return Object.fromEntries(numbers);
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isRuleFormat(format: unknown): format is RuleFormat {
  return documentFormats.some((known) => known === format);
}

function tooManyValues(): ContractError {
  return new ContractError(`has a list of more than ${contractBounds.values} values in a schema`);
}
