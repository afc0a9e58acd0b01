// Judges a value by a schema of a contract. The validator interprets the schema, and never generates code from it. The
// only importer of jsonschema.
import jsonschema, { type ValidationError } from "jsonschema";
import type { Path } from "../../diagnostic.ts";
import { fieldOf, ownValue } from "../../own-value.ts";
import type { CompilePattern } from "../patterns.ts";
import type { RuleSchema } from "./contract.ts";
import { isInFormat } from "./formats.ts";

export type ViolationKeyword =
  | Exclude<keyof RuleSchema, "x-at" | "items" | "properties" | "allOf" | "additionalProperties">
  /** A field that is not accepted. */
  | "no-other-fields";

export interface Violation {
  /** Of the value; of a missing field its own path. */
  readonly path: Path;
  readonly keyword: ViolationKeyword;
  /** The schema that is violated; of a missing field its own. */
  readonly schema: RuleSchema;
  readonly value: unknown;
}

/** Returns the violations of a value: at most one for each part of it. */
export type Judge = (value: unknown) => readonly Violation[];

export function createJudge(schema: RuleSchema, compilePattern: CompilePattern): Judge {
  const validator = createValidator(compilePattern);
  const judge = (value: unknown, part: RuleSchema): readonly Violation[] =>
    validator.validate(value, part as jsonschema.Schema).errors.flatMap((error) => readError(error, judge));
  return (given) => {
    const seen = new Set<string>();
    return judge(asJson(given), schema).filter(({ path }) => {
      const key = JSON.stringify(path);
      return !seen.has(key) && seen.add(key);
    });
  };
}

/** Patterns, formats and repeated entries are judged in linear time: both schema and value can be hostile. */
function createValidator(compilePattern: CompilePattern): jsonschema.Validator {
  const patterns = new Map<string, (text: string) => boolean>();
  const matches = (pattern: string, text: string) => {
    const compiled = patterns.get(pattern) ?? compilePattern(pattern) ?? (() => false);
    patterns.set(pattern, compiled);
    return compiled(text);
  };
  const validator = new jsonschema.Validator();
  Object.assign(validator.attributes, {
    pattern: (value: unknown, { pattern = "" }: RuleSchema) =>
      typeof value === "string" && !matches(pattern, value) ? broken("pattern") : null,
    format: (value: unknown, { format }: RuleSchema) =>
      typeof value === "string" && format !== undefined && !isInFormat[format](value)
        ? broken("format")
        : null,
    uniqueItems: (value: unknown) =>
      Array.isArray(value) && new Set(value.map((entry) => JSON.stringify(sorted(entry)))).size < value.length
        ? broken("uniqueItems")
        : null,
  });
  return validator;
}

/** What an attribute of the validator returns for a violation. */
function broken(name: string) {
  return { name, message: name, validatorType: name };
}

type JudgePart = (value: unknown, schema: RuleSchema) => readonly Violation[];

function readError(
  { argument, instance, name, path, schema }: ValidationError,
  judge: JudgePart,
): readonly Violation[] {
  const rules = schema as RuleSchema;
  switch (name) {
    // The errors of its parts are there as well.
    case "allOf":
      return [];
    case "required": {
      const field = String(argument);
      const own = ownValue(rules.properties ?? {}, field) ?? {};
      return [{ path: [...path, field], keyword: "required", schema: own, value: undefined }];
    }
    case "additionalProperties": {
      const field = String(argument);
      const value = fieldOf(instance, field);
      return [{ path: [...path, field], keyword: "no-other-fields", schema: {}, value }];
    }
    case "anyOf":
    case "oneOf": {
      const nested = judgeForms(instance, rules[name] ?? [], judge);
      if (nested !== undefined) return nested.map((each) => ({ ...each, path: [...path, ...each.path] }));
    }
  }
  return [{ path, keyword: name as ViolationKeyword, schema: rules, value: instance }];
}

/** The violations of the only form that the value can have meant; undefined if there are several, or none. */
function judgeForms(
  value: unknown,
  forms: readonly RuleSchema[],
  judge: JudgePart,
): readonly Violation[] | undefined {
  const judged = forms.map((form) => judge(value, form));
  if (judged.some((violations) => violations.length === 0)) return undefined;
  const meant = judged.filter(
    (violations) => !violations.some(({ keyword, path }) => keyword === "type" && path.length === 0),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

/** The value as JSON carries it: a whole number outside the safe range is a number, and an absent field is none. */
function asJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object" || value === null) return value;
  // Without a prototype, so that a field of a rule is never one of Object.
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value)) if (field !== undefined) fields[name] = asJson(field);
  return fields;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, field]) => [name, sorted(field)]);
}
