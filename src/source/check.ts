// Judges a parsed value by a zod schema and says what is wrong at its place. It serves whatever is written as
// YAML; what a breach of a schema's own rule is called stands in the schema, as zod's message.
import type * as z from "zod/mini";
import type { Diagnostic, Locate, Path } from "../diagnostic.ts";
import { nearest } from "../incident/rules.ts";
import { descriptionOf } from "../incident/with-meta.ts";
import { isRuleCode, type Kind, kindOf, type RuleCode, type Subject, wordings } from "./messages.ts";

export interface Checked<T> {
  /** The schema's output; `undefined` where anything is wrong. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** How many further slips there are. */
  readonly untold: number;
}

type Schema = z.core.$ZodType;

/** Told of one value: a person mends these first, and a hostile file never fills the memory. */
const mostTold = 100;

interface Finding {
  readonly code: RuleCode;
  readonly path: Path;
  readonly subject: Subject;
}

/** The schema's output for `value`, or one diagnostic for each slip in it. */
export function checkValue<T>(schema: z.ZodMiniType<T>, value: unknown, locate: Locate): Checked<T> {
  const result = schema.safeParse(value, { jitless: true });
  if (result.success) return { value: result.data, diagnostics: [], untold: 0 };
  const { issues } = result.error;
  const findings = issues.slice(0, 2 * mostTold).flatMap((issue) => findingsOf(issue, schema, value));
  // A misspelt field is one slip, although the field that was meant is missing as well.
  const meant = new Set(
    findings.map(({ path, subject }) => keyOf([...path.slice(0, -1), subject.meant ?? ""])),
  );
  const told = findings.filter(({ code, path }) => code !== "missing-field" || !meant.has(keyOf(path)));
  const diagnostics = told.slice(0, mostTold).map((finding) => diagnosticOf(finding, locate));
  const unread = Math.max(0, issues.length - 2 * mostTold);
  return { value: undefined, diagnostics, untold: unread + told.length - diagnostics.length };
}

function diagnosticOf({ code, path, subject }: Finding, locate: Locate): Diagnostic {
  const location = locate(path, code === "unknown-field" ? "key" : "value");
  return { code, level: "error", ...wordings[code](subject), location };
}

function findingsOf(issue: z.core.$ZodIssue, root: Schema, document: unknown): Finding[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const schema = schemaAt(root, path);
  const value = path.reduce(fieldOf, document);
  const subject: Subject = { name: nameOf(path), value, expected: expectedKind(schema), ...factsOf(schema) };
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const meant = nearest(key, subject.fields);
      return { code: "unknown-field", path: [...path, key], subject: { ...subject, name: key, meant } };
    });
  }
  if (value === undefined) return [{ code: "missing-field", path, subject }];
  if (kindOf(value) !== subject.expected) return [{ code: "wrong-type", path, subject }];
  const code = isRuleCode(issue.message) ? issue.message : "wrong-type";
  const meant = typeof value === "string" ? nearest(value, subject.allowed) : undefined;
  return [{ code, path, subject: { ...subject, meant } }];
}

/** How a person would call what stands at the path. */
function nameOf(path: Path): string {
  const [parent, last] = path.slice(-2).length === 2 ? path.slice(-2) : [undefined, path.at(-1)];
  if (last === undefined) return "the document";
  return typeof last === "string" ? last : `entry ${last + 1} of ${parent ?? "the list"}`;
}

function fieldOf(value: unknown, step: string | number): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string | number, unknown>)[step]
    : undefined;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

function schemaAt(root: Schema, path: Path): Schema {
  return path.reduce<Schema>((schema, step) => {
    const holder = required(schema);
    const made = makingOf(holder);
    switch (made.type) {
      case "object":
        return made.shape[step] ?? holder;
      case "record":
        return made.valueType;
      case "array":
        return made.element;
      default:
        return holder;
    }
  }, root);
}

/** What the wordings tell of a schema. */
function factsOf(schema: Schema): Pick<Subject, "fields" | "needed" | "allowed" | "example" | "longest"> {
  const inner = required(schema);
  const made = makingOf(inner);
  const fields = made.type === "object" ? Object.entries(made.shape) : [];
  return {
    fields: fields.map(([name]) => name),
    needed: fields.filter(([, field]) => !isOptional(field)).map(([name]) => name),
    allowed: made.type === "enum" ? Object.values(made.entries).map(String) : [],
    example: exampleOf(schema),
    longest: made.type === "string" ? (inner._zod.bag.maximum as number | undefined) : undefined,
  };
}

/** A field's example; that of a list or mapping is made of those of the fields it needs. */
function exampleOf(schema: Schema): unknown {
  const written = descriptionOf(schema).examples;
  if (Array.isArray(written) && written.length > 0) return written[0];
  const made = makingOf(required(schema));
  if (made.type === "array") return [exampleOf(made.element)];
  if (made.type !== "object") return undefined;
  const needed = Object.entries(made.shape).filter(([, field]) => !isOptional(field));
  return Object.fromEntries(needed.map(([name, field]) => [name, exampleOf(field)]));
}

const kinds: Readonly<Record<string, Kind>> = {
  array: "list",
  boolean: "boolean",
  enum: "text",
  number: "number",
  object: "mapping",
  record: "mapping",
  string: "text",
};

function expectedKind(schema: Schema): Kind | undefined {
  return kinds[makingOf(required(schema)).type];
}

function required(schema: Schema): Schema {
  const made = makingOf(schema);
  return made.type === "optional" || made.type === "nullable" ? required(made.innerType) : schema;
}

function isOptional(schema: Schema): boolean {
  return makingOf(schema).type === "optional";
}

/** What a schema was made of, told apart by its type. */
function makingOf(schema: Schema) {
  return (schema as z.core.$ZodTypes)._zod.def;
}
