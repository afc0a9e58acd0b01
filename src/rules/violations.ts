// Checks a value by rules, and turns each of zod's issues into a violation, which messages.ts has words for.
import * as z from "zod/mini";
import type { Path } from "../diagnostic.ts";
import { isMapping, ownValue } from "../untrusted-data.ts";
import type { RuleKeyword, RuleSchema, Rules } from "./rule-schema.ts";
import { rulesOfSchema, schemaOf } from "./schema.ts";

export interface Violation {
  /** The path of the value, or of the field that is missing. */
  readonly path: Path;
  readonly keyword: RuleKeyword;
  /** The rules that the value breaks, or the rules of the field that is missing. */
  readonly schema: RuleSchema;
  readonly value: unknown;
}

type Parsed<T> =
  | { readonly value: T; readonly violations: readonly [] }
  | { readonly value: undefined; readonly violations: readonly Violation[] };

/** The valid value with its fields in the order of the rules, or what is wrong with it: at most `most`, one a path. */
export function parseValue<T>(rules: Rules<T>, value: unknown, most: number): Parsed<T> {
  const found = new Map<string, Violation>();
  // Only here does zod say which schema an issue is of.
  const error = (issue: z.core.$ZodRawIssue): string => {
    for (const violation of found.size < most ? violationsOf(issue) : []) {
      const key = JSON.stringify(violation.path);
      found.set(key, found.get(key) ?? violation);
    }
    return "";
  };
  const result = safeParse(schemaOf(rules), value, { error });
  if (result.success) return { value: result.data, violations: [] };
  // zod finishes its issues when they are asked for.
  void result.error;
  return { value: undefined, violations: [...found.values()] };
}

/** More than about 100,000 issues overflow zod's stack: then only the first entries of each list are checked. */
function safeParse<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  context: z.core.ParseContext<z.core.$ZodIssue>,
) {
  try {
    return z.safeParse(schema, value, context);
  } catch (fault) {
    const found = fault instanceof RangeError && z.safeParse(schema, withShortLists(value), context);
    if (!found || found.success) throw fault;
    return found;
  }
}

function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1000).map(withShortLists);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withShortLists(part)]));
}

function violationsOf(issue: z.core.$ZodRawIssue): readonly Violation[] {
  const { input: value } = issue;
  const path = (issue.path ?? []) as Path;
  const schema = rulesOfSchema(issue.schema);
  const violation = (keyword: RuleKeyword): Violation => ({ path, keyword, schema, value });
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        keyword: "no-other-fields",
        schema,
        value: ownValue(value as Record<string, unknown>, key),
      }));
    case "too_small":
    case "too_big":
      return [violation(sizeKeyword(issue.code, issue.origin))];
    case "custom":
      return [violation("format")];
    default:
      if (value === undefined) return [violation("required")];
      // An enumeration is of texts.
      return [violation(issue.code === "invalid_value" && typeof value === "string" ? "enum" : "type")];
  }
}

/** zod gives the origin `int` to a whole number that is too large for one. */
function sizeKeyword(code: "too_small" | "too_big", origin: string): RuleKeyword {
  if (origin === "int") return "type";
  if (code === "too_big") return "maxLength";
  if (origin === "string") return "minLength";
  return origin === "array" ? "minItems" : "minimum";
}
