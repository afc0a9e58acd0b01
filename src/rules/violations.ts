// Checks a value with a zod schema, and turns each of zod's issues into a violation, which messages.ts has words for.
import * as z from "zod/mini";
import type { Path } from "../diagnostic.ts";
import { isMapping, ownValue } from "../untrusted-data.ts";
import { typeOfValue } from "./quote.ts";
import { type RuleKeyword, type RuleSchema, typesOf } from "./rule-schema.ts";
import { factsOf, type Schema } from "./schema.ts";

// Most runs check a few values: the code that zod writes for a schema takes longer than it saves.
z.config({ jitless: true });

export interface Violation {
  /** The path of the value, or of the field that is missing. */
  readonly path: Path;
  readonly keyword: RuleKeyword;
  /** The rules that the value breaks, or the rules of the field that is missing. */
  readonly schema: RuleSchema;
  readonly value: unknown;
}

type Issue = z.core.$ZodIssue;

export type Parsed<T> =
  | { readonly value: T; readonly violations: readonly []; readonly omitted: 0 }
  | {
      readonly value: undefined;
      /** At most one for each part of the value, and at most `most`. */
      readonly violations: readonly Violation[];
      readonly omitted: number;
    };

/** The valid value with its fields in the order of the schema, or what is wrong with it. */
export function parseValue<T>(schema: Schema<T>, value: unknown, most = Number.POSITIVE_INFINITY): Parsed<T> {
  const { data, error } = safeParse(schema, value);
  if (error === undefined) return { value: data, violations: [], omitted: 0 };
  const facts = factsOf(schema);
  const found = new Map<string, Violation>();
  let omitted = 0;
  for (const violation of error.issues.flatMap((issue) => violationsOf(issue, facts))) {
    const key = JSON.stringify(violation.path);
    if (found.size < most) found.set(key, found.get(key) ?? violation);
    else omitted += 1;
  }
  return { value: undefined, violations: [...found.values()], omitted };
}

/** All that is wrong; of more than about 100,000 issues, for which zod's stack is too small, those of the first entries. */
function safeParse<T>(schema: Schema<T>, value: unknown) {
  const context: z.core.ParseContext<Issue> = { reportInput: true };
  try {
    return z.safeParse(schema, value, context);
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    const found = z.safeParse(schema, withShortLists(value), context);
    // The wrong entries may all come later.
    const first = { ...context, abortEarly: true } as z.core.ParseContext<Issue>;
    return found.success ? z.safeParse(schema, value, first) : found;
  }
}

function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1000).map(withShortLists);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withShortLists(part)]));
}

/** `facts` are those of the value that the path of the issue begins at, which is at `parent`. */
function violationsOf(issue: Issue, facts: RuleSchema, parent: Path = []): readonly Violation[] {
  const path = [...parent, ...(issue.path as Path)];
  const at = issue.path.reduce<RuleSchema>((schema, step) => factsBelow(schema, step), facts);
  const violation = (keyword: RuleKeyword): Violation => ({
    path,
    keyword,
    schema: formFor(at, issue.input),
    value: issue.input,
  });
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        keyword: "no-other-fields",
        schema: formFor(at, {}),
        value: ownValue(issue.input as Record<string, unknown>, key),
      }));
    case "invalid_union":
      return formViolations(issue, at, path);
    case "too_small":
    case "too_big":
      return [violation(sizeKeyword(issue.code, issue.origin))];
    case "custom":
      return [violation("format")];
    default:
      if (issue.input === undefined) return [violation("required")];
      return [violation(isOfOtherType(issue) ? "type" : "enum")];
  }
}

/** The violations of the only form that the value can have meant, else that it has none of them. */
function formViolations(
  issue: z.core.$ZodIssueInvalidUnion,
  at: RuleSchema,
  path: Path,
): readonly Violation[] {
  const meant = issue.errors.filter(
    (issues) => !issues.some((each) => each.path.length === 0 && isOfOtherType(each)),
  );
  const [only = []] = meant;
  if (meant.length === 1) return only.flatMap((each) => violationsOf(each, at, path));
  const keyword = issue.input === undefined ? "required" : "anyOf";
  return [{ path, keyword, schema: at, value: issue.input }];
}

/** Whether the value is of another type than the schema takes. An enumeration is of texts. */
function isOfOtherType({ code, input }: Issue): boolean {
  return code === "invalid_type" || (code === "invalid_value" && typeof input !== "string");
}

function factsBelow(schema: RuleSchema, step: PropertyKey): RuleSchema {
  if (typeof step === "number") return formFor(schema, []).items ?? {};
  const { additionalProperties, properties = {} } = formFor(schema, {});
  return ownValue(properties, String(step)) ?? (additionalProperties || {});
}

/** The form of the facts that is of the type of the value, where there are several. */
function formFor(schema: RuleSchema, value: unknown): RuleSchema {
  return schema.anyOf?.find((form) => typesOf(form).some((type) => type === typeOfValue(value))) ?? schema;
}

/** Of a whole number that is too large for one, zod names the origin `int`. */
function sizeKeyword(code: "too_small" | "too_big", origin: string): RuleKeyword {
  if (origin === "int") return "type";
  const bound = code === "too_small" ? "min" : "max";
  if (origin === "string") return `${bound}Length`;
  return origin === "array" ? `${bound}Items` : `${bound}imum`;
}
