// Judges a value by the rules of a service's document. It runs in linear time and needs no library, because the rules
// and the value can both be hostile.
import type { Path } from "../diagnostic.ts";
import { codePointLength } from "../text/lengths.ts";
import { fieldOf, isMapping, ownValue } from "../untrusted-data.ts";
import { formats } from "./formats.ts";
import { type JsonType, type RuleKeyword, type RuleSchema, typesOf } from "./rule-schema.ts";

export interface Violation {
  /** The path of the value, or of the field that is missing. */
  readonly path: Path;
  readonly keyword: RuleKeyword;
  /** The rules that the value breaks, or the rules of the field that is missing. */
  readonly schema: RuleSchema;
  readonly value: unknown;
}

/** At most one violation for each part of the value. */
export type Judge = (value: unknown) => readonly Violation[];

export function createJudge(rules: RuleSchema): Judge {
  return (value) => judgeAt([], rules, value);
}

function judgeAt(path: Path, rules: RuleSchema, value: unknown): readonly Violation[] {
  const found = new Map<string, Violation>();
  walk(rules, value, path, (violation) => {
    const key = JSON.stringify(violation.path);
    found.set(key, found.get(key) ?? violation);
  });
  return [...found.values()];
}

type Report = (violation: Violation) => void;

function walk(schema: RuleSchema, value: unknown, path: Path, report: Report): void {
  const keyword = brokenKeyword(schema, value);
  if (keyword !== undefined) report({ path, keyword, schema, value });
  if (keyword === "type") return;
  if (Array.isArray(value)) {
    const { items } = schema;
    for (const [index, entry] of items === undefined ? [] : value.entries())
      walk(items ?? {}, entry, [...path, index], report);
  } else if (typeof value === "object" && value !== null) walkFields(schema, value, path, report);
  for (const part of schema.allOf ?? []) walk(part, value, path, report);
  for (const name of ["anyOf", "oneOf"] as const) walkForms(name, schema, value, path, report);
}

function walkFields(schema: RuleSchema, value: object, path: Path, report: Report): void {
  const { additionalProperties: others, properties = {}, required = [] } = schema;
  for (const name of required) {
    if (fieldOf(value, name) !== undefined) continue;
    const own = ownValue(properties, name) ?? {};
    report({ path: [...path, name], keyword: "required", schema: own, value: undefined });
  }
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const rules = ownValue(properties, name) ?? others;
    if (rules === undefined) continue;
    if (rules !== false) walk(rules, field, [...path, name], report);
    else report({ path: [...path, name], keyword: "no-other-fields", schema, value: field });
  }
}

/** Reports the violations of the only form that the value can have meant, else that it has none of them. */
function walkForms(
  name: "anyOf" | "oneOf",
  schema: RuleSchema,
  value: unknown,
  path: Path,
  report: Report,
): void {
  const forms = schema[name];
  if (forms === undefined) return;
  const judged = forms.map((form) => judgeAt(path, form, value));
  const fitting = judged.filter((violations) => violations.length === 0).length;
  if (name === "anyOf" ? fitting > 0 : fitting === 1) return;
  const meant = judged.filter(
    (violations) => !violations.some((each) => each.keyword === "type" && each.path.length === path.length),
  );
  if (fitting === 0 && meant.length === 1) for (const violation of meant[0] ?? []) report(violation);
  else report({ path, keyword: name, schema, value });
}

/** The first rule about the value itself that it breaks. */
function brokenKeyword(schema: RuleSchema, value: unknown): RuleKeyword | undefined {
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return "type";
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value)) return "enum";
  if (schema.not !== undefined && judgeAt([], schema.not, value).length === 0) return "not";
  if (typeof value === "string") return brokenByText(schema, value);
  if (typeof value === "number") return brokenByNumber(schema, value);
  if (Array.isArray(value)) {
    const { length } = value;
    const size = brokenSize(["minItems", "maxItems"], schema, () => length);
    return size ?? (schema.uniqueItems && !isUnique(value) ? "uniqueItems" : undefined);
  }
  if (typeof value !== "object" || value === null) return undefined;
  const count = () => Object.values(value).filter((field) => field !== undefined).length;
  return brokenSize(["minProperties", "maxProperties"], schema, count);
}

function brokenByText(schema: RuleSchema, text: string): RuleKeyword | undefined {
  const { format, pattern } = schema;
  if (format !== undefined && !formats[format].check(text)) return "format";
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return "pattern";
  return brokenSize(["minLength", "maxLength"], schema, () => codePointLength(text));
}

function brokenByNumber(schema: RuleSchema, number: number): RuleKeyword | undefined {
  const { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } = schema;
  if (minimum !== undefined && number < minimum) return "minimum";
  if (maximum !== undefined && number > maximum) return "maximum";
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum) return "exclusiveMinimum";
  if (exclusiveMaximum !== undefined && number >= exclusiveMaximum) return "exclusiveMaximum";
  if (multipleOf === undefined) return undefined;
  const quotient = number / multipleOf;
  // 0.3 is a multiple of 0.1, although their quotient is 2.9999999999999996.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient))
    ? undefined
    : "multipleOf";
}

type SizeKeyword = `${"min" | "max"}${"Length" | "Items" | "Properties"}`;

function brokenSize(
  [least, most]: readonly [SizeKeyword, SizeKeyword],
  schema: RuleSchema,
  count: () => number,
): SizeKeyword | undefined {
  const [min, max] = [schema[least], schema[most]];
  if (min === undefined && max === undefined) return undefined;
  const size = count();
  if (min !== undefined && size < min) return least;
  return max !== undefined && size > max ? most : undefined;
}

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "null":
      return value === null;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function isUnique(list: readonly unknown[]): boolean {
  return new Set(list.map((entry) => JSON.stringify(entry, sortFields))).size === list.length;
}

/** For `JSON.stringify`: sorts the fields of each mapping, so that equal values have the same text. */
export function sortFields(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
