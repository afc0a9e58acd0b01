// Checks a value by a schema, and turns zod's issues into violations, with a message and a correction for each rule.
import * as z from "zod/mini";
import { keyOf, maxDiagnostics, type Path, type Problem } from "../diagnostic.ts";
import { codePointLength, countOf, cutText } from "../text/lengths.ts";
import { nearest, plainName, withSuggestion } from "../text/suggest.ts";
import { fieldOf, ownValue } from "../untrusted-data.ts";
import { controlIn, isVisible } from "./forms.ts";
import { forms, isFreeText, type Schema, schemaOf } from "./kinds.ts";
import { flow, quote, typeNames, typeOfValue } from "./quote.ts";

type Rule = "type" | "missing" | "unknown" | "enum" | "form" | "number" | "empty" | "tooLong";

/** `path` and `schema`: of the value that breaks a rule, or of the field that is missing. */
export type Violation = ReturnType<typeof violationsOf>[number];

/** More than the diagnostics of a file, because some are not told. */
const maxViolations = 2 * maxDiagnostics;

/** The valid value with its fields in the order of the schema, or the first violations, one for each path. */
export function parseValue<T>(zod: z.ZodMiniType<T>, value: unknown) {
  const { data, error } = z.safeParse(zod, value, { reportInput: true });
  if (error === undefined) return { value: data as T, violations: [] };
  const found = new Map<string, Violation>();
  for (const issue of error.issues) {
    if (found.size >= maxViolations) break;
    for (const violation of violationsOf(issue, zod)) {
      const key = keyOf(violation.path);
      found.set(key, found.get(key) ?? violation);
    }
  }
  return { value: undefined, violations: [...found.values()] };
}

function violationsOf(issue: z.core.$ZodIssue, root: z.ZodMiniType) {
  const { input } = issue;
  const at = issue.path as Path;
  const schema = schemaAt(root, at) as Schema;
  const violation = (path: Path, rule: Rule, value: unknown) => ({ path, rule, schema, value });
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => violation([...at, key], "unknown", fieldOf(input, key)));
  return [violation(at, input === undefined ? "missing" : ruleOf(issue, schema), input)];
}

function ruleOf({ code, input }: z.core.$ZodIssue, { type }: Schema): Rule {
  if (type === "number" && typeof input === "number") return "number";
  if (code === "too_big") return "tooLong";
  if (code === "too_small") return "empty";
  if (code === "custom") return "form";
  // An enumeration has texts alone: another value has the wrong type.
  return code === "invalid_value" && typeof input === "string" ? "enum" : "type";
}

/** `rootName` names the whole value. */
export function wordsFor(violation: Violation, rootName: string) {
  return rows[violation.rule](violation, nameOf(violation.path, rootName));
}

type Row = (violation: Violation, name: string) => Omit<Problem, "path">;

const rows: Record<Rule, Row> = {
  type: (violation, name) => {
    const { schema, value } = violation;
    const [type, expected] = [typeOfValue(value), schema.type];
    const subject = type === "array" || type === "object" ? name : quote(value);
    const message =
      type === "null" ? `${name} is empty` : `${subject} is ${typeNames[type]}, not ${typeNames[expected]}`;
    const hint = withNote(typeHints[expected](violation), schema);
    const isLeft = type === "null" && schema.isOptional;
    return { code: "wrong-type", message, hint: isLeft ? `remove the line, or ${hint}` : hint };
  },
  missing: ({ schema }, name) => ({
    code: "missing-field",
    message: `${name} is missing`,
    hint: withNote(`add it, for example ${name}: ${flow(exampleOf(schema) ?? "…")}`, schema),
  }),
  unknown: ({ schema }, name) => ({
    code: "unknown-field",
    message: `${quote(name)} is not a field here`,
    hint: unknownFieldHint(name, schema),
  }),
  enum: ({ schema, value }) => {
    const { code = "unknown-value", noun = "value of this field", values } = schema;
    return {
      code,
      message: `${quote(value)} is not a ${noun}`,
      hint: withSuggestion(`write one of ${cutText(values.join(", "), 200)}`, nearest(String(value), values)),
    };
  },
  form: ({ schema, value }, name) => {
    const form = forms[schema.form ?? "visible"];
    if (form.code === "blank-text") {
      if (isVisible(String(value))) return controlWords(name, String(value));
      const hint = withExample(`write ${schema.noun ?? "text here"}`, schema);
      return { code: "blank-text", message: `${name} is blank: ${quote(value)}`, hint };
    }
    const message = `${typeof value === "string" ? quote(value) : name} is not ${form.name}`;
    return { code: form.code, message, hint: withNote(withExample(form.hint, schema), schema) };
  },
  tooLong: ({ schema, value }, name) => ({
    code: "name-too-long",
    message: `${name} has ${countOf(codePointLength(String(value)), "character")}`,
    hint: `shorten it to at most ${countOf(schema.maxLength ?? 0, "character")}`,
    // A template cuts a text that is too long to this length.
    mostCharacters: schema.maxLength,
  }),
  number: ({ value }) => {
    const isWhole = Number.isInteger(value);
    const message = `${quote(value)} is ${isWhole ? "out of range" : "not a whole number"}`;
    const hint =
      Number(value) < 1 ? "write at least 1" : `write digits only, up to ${Number.MAX_SAFE_INTEGER}`;
    return { code: "not-a-whole-number", message, hint };
  },
  empty: ({ schema }, name) => ({
    code: "empty-list",
    message: `${name} is an empty list`,
    hint: withExample("write at least one entry", schema),
  }),
};

function controlWords(name: string, text: string) {
  const character = controlIn(text.trim()) ?? "";
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const isLineBreak = /^[\n\v\f\r\x85\u2028\u2029]$/.test(character);
  return {
    code: "control-character",
    message: `${name} has ${isLineBreak ? "a line break" : `the control character U+${number}`}`,
    hint: isLineBreak ? `write ${name} on one line` : "remove it",
  } as const;
}

function unknownFieldHint(name: string, schema: Schema): string {
  const meant = meantField(name, schema);
  if (meant?.list !== undefined) {
    const renamed = meant.field === name ? "" : ` as ${meant.field}`;
    return `it belongs under ${meant.list}: write it${renamed} in an entry of that list`;
  }
  const hint = withSuggestion(`write one of ${Object.keys(schema.shape).join(", ")}`, meant?.field);
  // No field has a space in its name, so the line is probably the rest of a text.
  return name.includes(" ")
    ? `if it is a part of a text, put the whole text in quotes, or below "|", indented further than its field; if it is a field, ${hint}`
    : hint;
}

/** `entry 1 of services`, `name`, or the name of the whole value. */
export function nameOf(path: Path, rootName: string): string {
  const last = path.at(-1);
  if (last === undefined) return rootName;
  return typeof last === "number" ? `entry ${last + 1} of ${path.at(-2) ?? "the list"}` : last;
}

/** The correction of a value of the wrong type, by the type that it must have. */
const typeHints: Record<Schema["type"], (violation: Violation) => string> = {
  string: textHint,
  number: () => "write digits only, without a unit and without quotes",
  boolean: () => "write true or false, without quotes: yes and no are text in YAML 1.2",
  array: ({ schema }) => withExample('write a list, each entry after "- "', schema),
  object: ({ schema }) => withExample("write its fields", schema),
};

function textHint({ schema, value }: Violation): string {
  const { form, values } = schema;
  if (values.length > 0) return `write one of ${values.join(", ")}`;
  if (form !== undefined && !isFreeText(form)) return withExample(forms[form].hint, schema);
  if (["number", "boolean"].includes(typeOfValue(value))) return "put it in quotes to make it text";
  if (Array.isArray(value)) return 'write one text; its lines can stand below "|"';
  return withExample("write text here", schema);
}

function withNote(hint: string, schema: Schema): string {
  return schema.note === undefined ? hint : `${hint}; ${schema.note}`;
}

function withExample(hint: string, schema: Schema): string {
  const example = exampleOf(schema);
  return example === undefined || example === "CHANGEME" ? hint : `${hint}, for example ${flow(example)}`;
}

export function requiredOf({ shape }: Schema): readonly string[] {
  return Object.entries(shape).flatMap(([name, field]) => (field.type === "optional" ? [] : name));
}

/** The schema at a path: the same number of steps into fields and entries. */
export function schemaAt(root: z.ZodMiniType, path: Path): Schema | undefined {
  return path.reduce<Schema | undefined>((parent, step) => {
    const child = parent && (ownValue(parent.shape, step) ?? parent.valueType ?? parent.element);
    return child && schemaOf(child);
  }, schemaOf(root));
}

/** An example of a valid value. A mapping has its required fields, or if it has none, all. */
function exampleOf(schema: Schema): unknown {
  const { element, examples: [example] = [], form, shape, values } = schema;
  if (example !== undefined) return example;
  const inner = element && exampleOf(schemaOf(element));
  if (element !== undefined) return inner === undefined ? undefined : [inner];
  const fields = Object.entries(shape);
  const required = fields.filter(([, field]) => field.type !== "optional");
  const shown = required.length > 0 ? required : fields;
  if (shown.length > 0)
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(schemaOf(field)) ?? "…"]));
  return values[0] ?? (form && forms[form].example);
}

export function meantField(name: string, { shape }: Schema) {
  const field = aliased(name, shape) ?? nearest(name, Object.keys(shape));
  if (field !== undefined) return { field };
  for (const [list, own] of Object.entries(shape)) {
    const { element } = schemaOf(own);
    const inner = element ? schemaOf(element).shape : {};
    const field = aliased(name, inner);
    if (field !== undefined) return { list, field };
  }
  return undefined;
}

/** The field that has this name in another spelling, or in another tool. */
export function aliased(name: string, shape: Schema["shape"]): string | undefined {
  const plain = plainName(name);
  return Object.keys(shape).find((field) => namesOf(field, shape).includes(plain));
}

/** The names of a field as `plainName` gives them: its own, and those in other tools, the likeliest first. */
export function namesOf(field: string, shape: Schema["shape"]): readonly string[] {
  const own = ownValue(shape, field);
  return [plainName(field), ...((own && schemaOf(own).aliases) ?? [])];
}
