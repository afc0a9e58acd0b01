// Checks a value by a schema, and turns each of zod's issues into a violation, which messages.ts has words for.
import * as z from "zod/mini";
import type { Path } from "../diagnostic.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Given, Schema } from "./kinds.ts";

/** The rules that a value can break. */
export type Rule = "type" | "missing" | "unknown" | "enum" | "form" | "tooSmall" | "tooLong";

export interface Violation {
  /** The path of the value, or of the field that is missing. */
  readonly path: Path;
  readonly rule: Rule;
  /** The schema that the value breaks, or that of the field that is missing. */
  readonly schema: Given;
  readonly value: unknown;
}

type Parsed<T> =
  | { readonly value: T; readonly violations: readonly [] }
  | { readonly value: undefined; readonly violations: readonly Violation[] };

/** The valid value with its fields in the order of the schema, or what is wrong with it: at most `most`, one a path. */
export function parseValue<T>(schema: Schema<T>, value: unknown, most: number): Parsed<T> {
  const found = new Map<string, Violation>();
  // Only this callback gets the schema of an issue.
  const error = (issue: z.core.$ZodRawIssue): string => {
    for (const violation of found.size < most ? violationsOf(issue) : []) {
      const key = JSON.stringify(violation.path);
      found.set(key, found.get(key) ?? violation);
    }
    return "";
  };
  const result = z.safeParse(schema, value, { error });
  if (result.success) return { value: result.data, violations: [] };
  // Reading the error makes zod call `error` for each issue.
  void result.error;
  return { value: undefined, violations: [...found.values()] };
}

function violationsOf(issue: z.core.$ZodRawIssue): readonly Violation[] {
  const { input: value, schema } = issue;
  const path = (issue.path ?? []) as Path;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key],
      rule: "unknown",
      schema,
      value: ownValue(value as Record<string, unknown>, key),
    }));
  return [{ path, rule: value === undefined ? "missing" : ruleOf(issue), schema, value }];
}

function ruleOf(issue: z.core.$ZodRawIssue): Rule {
  // zod gives the origin `int` to a whole number that is too large for one.
  if ((issue.code === "too_small" || issue.code === "too_big") && issue.origin !== "int")
    return issue.code === "too_big" ? "tooLong" : "tooSmall";
  if (issue.code === "custom") return "form";
  // An enumeration has texts alone: another value has the wrong type.
  return issue.code === "invalid_value" && typeof issue.input === "string" ? "enum" : "type";
}
