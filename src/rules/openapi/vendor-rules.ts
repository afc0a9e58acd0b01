// Rules that a document states in a vendor's own keywords, as keywords of JSON Schema. hapi-swagger writes the rules of
// Joi for which OpenAPI has no keyword as `x-constraint` and `x-format`.
import { type Node, nodeOf, textOf } from "./references.ts";

const sizeKeywords = {
  string: { min: "minLength", max: "maxLength" },
  array: { min: "minItems", max: "maxItems" },
  object: { min: "minProperties", max: "maxProperties" },
  number: { min: "minimum", max: "maximum" },
} as const;

type Constraint = (value: unknown, sizes: { readonly min: string; readonly max: string }) => Node;

/** `x-constraint`, by the name of Joi's rule. */
const constraints: ReadonlyMap<string, Constraint> = new Map<string, Constraint>([
  ["length", (limit, { min, max }) => ({ [min]: limit, [max]: limit })],
  ["min", (limit, { min }) => ({ [min]: limit })],
  ["max", (limit, { max }) => ({ [max]: limit })],
  ["greater", (limit) => ({ exclusiveMinimum: limit })],
  ["less", (limit) => ({ exclusiveMaximum: limit })],
  ["multiple", (factor) => ({ multipleOf: factor })],
  ["sign", signOf],
  ["unique", (value) => ({ uniqueItems: value !== false })],
  ["pattern", patternOf],
  ["regex", patternOf],
]);

/** `x-format`, by the name of Joi's rule. */
const formats: ReadonlyMap<string, Node> = new Map([
  ["guid", { format: "uuid" }],
  ["uuid", { format: "uuid" }],
  ["email", { format: "email" }],
  ["uri", { format: "uri" }],
  ["hostname", { format: "hostname" }],
  ["alphanum", { pattern: "^[a-zA-Z0-9]+$" }],
  ["hex", { pattern: "^[a-fA-F0-9]+$" }],
  ["token", { pattern: "^[a-zA-Z0-9_]+$" }],
]);

/** The keywords are not checked yet: a number can be a text, or too small. */
export function vendorKeywords(node: Node): Node {
  const sizes = sizeKeywords[kindOf(node)];
  const keywords = {};
  for (const [name, value] of Object.entries(nodeOf(node["x-constraint"]) ?? {}))
    Object.assign(keywords, constraints.get(name)?.(nodeOf(value)?.limit ?? value, sizes));
  for (const [name, value] of Object.entries(nodeOf(node["x-format"]) ?? {}))
    if (value !== false) Object.assign(keywords, formats.get(name));
  return keywords;
}

function kindOf({ type, items, properties }: Node): keyof typeof sizeKeywords {
  const [first] = [type].flat().filter((name) => name !== "null");
  if (first === "array" || (first === undefined && items !== undefined)) return "array";
  if (first === "object" || (first === undefined && properties !== undefined)) return "object";
  return first === "number" || first === "integer" ? "number" : "string";
}

function signOf(sign: unknown): Node {
  if (sign === "positive") return { exclusiveMinimum: 0 };
  return sign === "negative" ? { exclusiveMaximum: 0 } : {};
}

function patternOf(value: unknown): Node {
  const source = textOf(value) ?? textOf(nodeOf(value)?.regex) ?? textOf(nodeOf(value)?.source);
  // Some documents write the literal of a regular expression, slashes included.
  const pattern = source && (/^\/(.*)\/$/s.exec(source)?.[1] ?? source);
  return pattern ? { pattern } : {};
}
