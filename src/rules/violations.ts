// Checks a value by a schema, and turns each of zod's issues into a violation, which messages.ts has words for.
import * as z from "zod/mini";
import type { Path } from "../diagnostic.ts";
import { ownValue } from "../untrusted-data.ts";
import { schemaAt } from "./facts.ts";
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
  const { data, error } = z.safeParse(schema, value, { reportInput: true });
  if (error === undefined) return { value: data as T, violations: [] };
  const found = new Map<string, Violation>();
  for (const issue of error.issues) {
    if (found.size >= most) break;
    for (const violation of violationsOf(issue, schema)) {
      const key = JSON.stringify(violation.path);
      found.set(key, found.get(key) ?? violation);
    }
  }
  return { value: undefined, violations: [...found.values()] };
}

function violationsOf(issue: z.core.$ZodIssue, root: Schema): readonly Violation[] {
  const { input: value } = issue;
  const path = issue.path as Path;
  const schema = schemaAt(root, path);
  if (issue.code === "unrecognized_keys") {
    const own = value as Record<string, unknown>;
    return issue.keys.map((key) => ({
      path: [...path, key],
      rule: "unknown",
      schema,
      value: ownValue(own, key),
    }));
  }
  return [{ path, rule: value === undefined ? "missing" : ruleOf(issue), schema, value }];
}

function ruleOf(issue: z.core.$ZodIssue): Rule {
  // zod gives the origin `int` to a whole number that is too large for one.
  if ((issue.code === "too_small" || issue.code === "too_big") && issue.origin !== "int")
    return issue.code === "too_big" ? "tooLong" : "tooSmall";
  if (issue.code === "custom") return "form";
  // An enumeration has texts alone: another value has the wrong type.
  return issue.code === "invalid_value" && typeof issue.input === "string" ? "enum" : "type";
}
