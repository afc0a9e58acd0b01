// Judges a value by a schema of the service's document. The validator resolves references in the document itself.
import jsonschema, { type ValidationError } from "jsonschema";
import { isInFormat } from "../schema.ts";
import type { Node } from "./document.ts";

/** Undefined for a pattern that cannot be matched in linear time. */
export type CompilePattern = (pattern: string) => ((text: string) => boolean) | undefined;

/** Returns one phrase for each violation, such as `services[0].accountId is required`. */
export type Judge = (value: unknown) => readonly string[];

const base = "http://document.invalid/openapi.json";

/** The validator takes an object as a violation only if it has a `validatorType`. */
type Violation = { readonly name: string; readonly message: string; readonly validatorType: string };

type Attribute = (value: unknown, schema: Node) => Violation | null;

/** Returns a function that prepares a judge for a schema of the document. */
export function createJudges(document: Node, compilePattern: CompilePattern): (schema: Node) => Judge {
  const validator = new jsonschema.Validator();
  const schemas = validator.schemas as Record<string, unknown>;
  schemas[base] = document;
  const compiled = new Map<string, ReturnType<CompilePattern>>();
  const compile = (pattern: string) => {
    if (!compiled.has(pattern)) compiled.set(pattern, compilePattern(pattern));
    return compiled.get(pattern);
  };
  const { attributes } = validator as unknown as { readonly attributes: Record<string, Attribute> };
  // OpenAPI 3.0 lets a value be null with `nullable`, also where its type and its enumeration have no null.
  for (const name of ["type", "enum"] as const) {
    const check = attributes[name];
    attributes[name] = function (this: unknown, value, schema, ...rest: unknown[]) {
      if (value === null && schema.nullable === true) return null;
      return check?.apply(this, [value, schema, ...rest] as never) ?? null;
    };
  }
  Object.assign(attributes, {
    pattern: (value, { pattern }) => check(matches(value, pattern, compile), `must match ${pattern}`),
    format: (value, { format }) => checkFormat(value, [String(format)]),
    uniqueItems: (value, { uniqueItems }) =>
      check(uniqueItems !== true || !Array.isArray(value) || isUnique(value), "must have no repeated entry"),
    "x-format": (value, schema) => checkFormat(value, Object.keys(Object(schema["x-format"]))),
    "x-constraint": (value, schema) => {
      const problem = constraintProblem(value, Object(schema["x-constraint"]) as Node);
      return check(problem === undefined, problem ?? "");
    },
  } satisfies Record<string, Attribute>);
  let count = 0;
  return (schema) => {
    count += 1;
    // Under an address of its own, because the validator resolves `#/…` against the schema that it was given.
    const address = `${base}#part-${count}`;
    schemas[address] = schema;
    return (value) => {
      const { errors } = validator.validate(value, { $ref: address });
      return [...new Set(errors.filter(({ name }) => name !== "allOf").map(describe))];
    };
  };
}

function describe({ argument, message, name, path }: ValidationError): string {
  const at = [...path, ...(name === "required" ? [String(argument)] : [])]
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
  if (name === "required") return `${at} is required`;
  const text = name === "anyOf" || name === "oneOf" ? "has none of the documented forms" : message;
  return `${at === "" ? "the body" : at} ${text}`;
}

function check(holds: boolean, message: string): ReturnType<Attribute> {
  return holds ? null : { name: "rule", message, validatorType: "rule" };
}

function matches(value: unknown, pattern: unknown, compile: CompilePattern): boolean {
  return typeof value !== "string" || (compile(String(pattern))?.(value) ?? true);
}

function checkFormat(value: unknown, formats: readonly string[]): ReturnType<Attribute> {
  const broken = formats.find((format) => typeof value === "string" && !isInFormat(format, value));
  return check(broken === undefined, `does not conform to the "${broken}" format`);
}

function isUnique(list: readonly unknown[]): boolean {
  return new Set(list.map((entry) => JSON.stringify(entry))).size === list.length;
}

/** The rules that hapi-swagger writes as `x-constraint`. */
function constraintProblem(value: unknown, rules: Node): string | undefined {
  const isNumber = typeof value === "number";
  const size = isNumber ? value : sizeOf(value);
  if (size === undefined) return undefined;
  const must = (relation: string, limit: number) => {
    if (isNumber) return `must be ${relation} ${limit}`;
    const unit = Array.isArray(value) ? ["entry", "entries"] : ["character", "characters"];
    return `must have ${relation} ${limit} ${limit === 1 ? unit[0] : unit[1]}`;
  };
  const { length, min, max, greater, less, sign } = rules;
  if (typeof length === "number" && !isNumber && size !== length) return must("exactly", length);
  if (typeof min === "number" && size < min) return must("at least", min);
  if (typeof max === "number" && size > max) return must("at most", max);
  if (typeof greater === "number" && size <= greater) return must("more than", greater);
  if (typeof less === "number" && size >= less) return must("less than", less);
  if (sign === "positive" && isNumber && size <= 0) return must("more than", 0);
  if (sign === "negative" && isNumber && size >= 0) return must("less than", 0);
  return undefined;
}

/** The number of entries, or of characters as code points. */
function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === "string" ? [...value].length : undefined;
}
