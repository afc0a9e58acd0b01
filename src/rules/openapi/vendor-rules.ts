// Rules that a document states in a vendor's own keywords. hapi-swagger writes the rules of Joi for which OpenAPI has no
// keyword as `x-constraint` and `x-format`.
import type { RuleSchema } from "../rule-schema.ts";
import { type Node, nodeOf, textOf } from "./references.ts";

type Constraint = (value: unknown, kind: Kind) => Partial<RuleSchema>;
type Kind = "string" | "array" | "object" | "number";

/** `x-constraint`, by the name of Joi's rule. */
const constraints: ReadonlyMap<string, Constraint> = new Map<string, Constraint>([
  ["length", (value, kind) => sized(value, kind, ["min", "max"])],
  ["min", (value, kind) => sized(value, kind, ["min"])],
  ["max", (value, kind) => sized(value, kind, ["max"])],
  ["greater", (value) => numeric("exclusiveMinimum", value)],
  ["less", (value) => numeric("exclusiveMaximum", value)],
  ["multiple", (value) => numeric("multipleOf", value)],
  ["sign", (value) => signOf(value)],
  ["unique", (value) => (value === false ? {} : { uniqueItems: true })],
  ["pattern", patternOf],
  ["regex", patternOf],
]);

/** `x-format`, by the name of Joi's rule. */
const formats: ReadonlyMap<string, Partial<RuleSchema>> = new Map<string, Partial<RuleSchema>>([
  ["guid", { format: "uuid" }],
  ["uuid", { format: "uuid" }],
  ["email", { format: "email" }],
  ["uri", { format: "uri" }],
  ["hostname", { format: "hostname" }],
  ["alphanum", { pattern: "^[a-zA-Z0-9]+$" }],
  ["hex", { pattern: "^[a-fA-F0-9]+$" }],
  ["token", { pattern: "^[a-zA-Z0-9_]+$" }],
]);

export function vendorRules(node: Node): Partial<RuleSchema> {
  const kind = kindOf(node);
  const rules: Partial<RuleSchema> = {};
  for (const [name, value] of Object.entries(nodeOf(node["x-constraint"]) ?? {}))
    Object.assign(rules, constraints.get(name)?.(value, kind));
  for (const [name, value] of Object.entries(nodeOf(node["x-format"]) ?? {}))
    if (value !== false) Object.assign(rules, formats.get(name));
  return rules;
}

function kindOf({ type, items, properties }: Node): Kind {
  const [first] = [type].flat().filter((name) => name !== "null");
  if (first === "array" || (first === undefined && items !== undefined)) return "array";
  if (first === "object" || (first === undefined && properties !== undefined)) return "object";
  return first === "number" || first === "integer" ? "number" : "string";
}

const sizeKeywords = {
  string: { min: "minLength", max: "maxLength" },
  array: { min: "minItems", max: "maxItems" },
  object: { min: "minProperties", max: "maxProperties" },
  number: { min: "minimum", max: "maximum" },
} as const satisfies Record<Kind, object>;

function sized(value: unknown, kind: Kind, bounds: readonly ("min" | "max")[]): Partial<RuleSchema> {
  const limit = limitOf(value);
  if (limit === undefined || (kind !== "number" && limit < 0)) return {};
  return Object.fromEntries(bounds.map((bound) => [sizeKeywords[kind][bound], limit]));
}

function numeric(
  keyword: "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
  value: unknown,
): Partial<RuleSchema> {
  const limit = limitOf(value);
  return limit === undefined || (keyword === "multipleOf" && limit <= 0) ? {} : { [keyword]: limit };
}

function signOf(value: unknown): Partial<RuleSchema> {
  if (value === "positive") return { exclusiveMinimum: 0 };
  return value === "negative" ? { exclusiveMaximum: 0 } : {};
}

function patternOf(value: unknown): Partial<RuleSchema> {
  const source = textOf(value) ?? textOf(nodeOf(value)?.regex) ?? textOf(nodeOf(value)?.source);
  // Some documents write the literal of a regular expression, slashes included.
  const pattern = source && (/^\/(.*)\/$/s.exec(source)?.[1] ?? source);
  return pattern ? { pattern } : {};
}

/** A number, as such or as the argument of a rule. */
function limitOf(value: unknown): number | undefined {
  const limit = nodeOf(value)?.limit ?? value;
  return typeof limit === "number" && Number.isFinite(limit) ? limit : undefined;
}
