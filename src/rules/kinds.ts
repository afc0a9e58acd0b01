// The kinds of values that people write, as schemas of zod, with what messages and editors say about each. Only the code
// that checks a value loads zod.
import * as z from "zod/mini";
import type { DiagnosticCode } from "../diagnostic.ts";
import { controlIn, isDate, isDateTime, isGuid, isVisible } from "./forms.ts";

// Most runs check a few values: the code that zod writes for a schema takes longer than it saves.
z.config({ jitless: true });

export type Schema<T = unknown> = z.ZodMiniType<T>;
export type ValueOf<S extends () => Schema> = z.infer<ReturnType<S>>;
/** The schema of a field that may not be there. */
export type Given = z.core.$ZodType | undefined;

/** For messages and for editors. They state no rule. */
export interface Notes {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The code of a value that breaks the rule of the schema, in the place of the code of its kind. */
  readonly code?: DiagnosticCode;
  /** The noun for a value, such as `severity`. */
  readonly noun?: string;
  /** A remark that ends the correction. */
  readonly note?: string;
  /** The names that other tools have for the field, as `plainName` gives them; the likeliest first. */
  readonly aliases?: readonly string[];
  readonly form?: FormName;
  /** The most characters of a text. */
  readonly maxLength?: number;
}

const known = new WeakMap<z.core.$ZodType, Notes>();

export function notesOf(schema: Given): Notes {
  return (schema && known.get(schema)) ?? {};
}

function noted<S extends z.core.$ZodType>(schema: S, notes: Notes): S {
  known.set(schema, notes);
  return schema;
}

/** The forms of texts: the code of a text that is not in it, its name, its check, an example, and the correction. */
export const forms = {
  // The example is no GUID: a copied one would name another thing.
  guid: form("not-a-guid", "a GUID", isGuid, "CHANGEME", "write 8-4-4-4-12 hexadecimal digits"),
  date: form("not-a-date", "a valid date as YYYY-MM-DD", isDate, "2026-03-01", "write year-month-day"),
  dateTime: form(
    "not-a-date-time",
    "a date and time that exists, with an offset",
    isDateTime,
    "2026-03-01T09:30:00Z",
    "write ISO 8601",
  ),
  folder: form(
    "unknown-value",
    "a folder below that of the file",
    (text) => isVisible(text) && !/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(text),
    "incidents",
    "name a folder below that of the file",
  ),
  visible: form("blank-text", "text that a person can see", isVisible),
  line: form(
    "blank-text",
    "visible text on one line",
    (text) => isVisible(text) && controlIn(text) === undefined,
  ),
} as const;

export type FormName = keyof typeof forms;

function form(
  code: DiagnosticCode,
  name: string,
  check: (text: string) => boolean,
  example?: string,
  hint = "write text here",
) {
  return { code, name, check, example, hint };
}

/** Whether a form takes any text that a person can read. */
export function isFreeText(name: FormName | undefined): boolean {
  return name === undefined || forms[name].example === undefined;
}

const inForm = (name: FormName) =>
  z.check<unknown>(({ issues, value }) => {
    if (!forms[name].check(value as string)) issues.push({ code: "custom", input: value });
  });

export function text(name: FormName, notes: Notes = {}): Schema<string> {
  const { maxLength } = notes;
  const own = inForm(name) as z.core.$ZodCheck<string>;
  // Given at once: zod builds a schema again to add a check.
  const checks = maxLength === undefined ? [own] : [own, ofLength(z.maxLength(maxLength))];
  return noted(z.string({ checks: checks as z.core.$ZodCheck<string>[] }), { ...notes, form: name });
}

/** Text of any characters. */
export const anyText = (notes: Notes = {}): Schema<string> => noted(z.string(), notes);

export const visible = (notes: Notes = {}): Schema<string> => text("visible", notes);

export const oneOf = <T extends string>(values: readonly T[], notes: Notes = {}): Schema<T> =>
  noted(z.enum(values), notes);

export const listOrNone = <T>(entry: Schema<T>, notes: Notes = {}): Schema<T[]> =>
  noted(z.array(entry), notes);

/** A list of at least one entry. */
export const listOf = <T>(entry: Schema<T>, notes: Notes = {}): Schema<T[]> =>
  noted(z.array(entry).check(ofLength(z.minLength(1))), notes);

export const boolean = (notes: Notes = {}): Schema<boolean> => noted(z.boolean(), notes);

export const integer = (notes: Notes = {}): Schema<number> => noted(z.int(), notes);

export const positive = (notes: Notes = {}): Schema<number> => noted(z.int().check(z.minimum(1)), notes);

export const orNull = <T>(schema: Schema<T>): Schema<T | null> => z.nullable(schema);

/** A mapping from any name to such a value. */
export const recordOf = <T>(each: Schema<T>, notes: Notes = {}): Schema<Record<string, T>> =>
  noted(z.record(z.string(), each), notes);

type ShapeOf<T extends Readonly<Record<string, Schema>>, R> = {
  [K in keyof T]: K extends R ? T[K] : z.ZodMiniOptional<T[K]>;
};

/** A mapping of these fields and no others. */
export function mapping<const T extends Readonly<Record<string, Schema>>, R extends keyof T & string = never>(
  fields: T,
  required: readonly R[] = [],
) {
  const isRequired = (name: string) => required.some((each) => each === name);
  const shape = Object.entries(fields).map(([name, own]) => [name, isRequired(name) ? own : z.optional(own)]);
  return z.strictObject(Object.fromEntries(shape) as ShapeOf<T, R>);
}

type Scalar = string | number | boolean;

/** A value, or a list of at least one. */
export const scalars = (notes: Notes = {}): Schema<Scalar | Scalar[]> => {
  const scalar: Schema<Scalar> = z.union([z.string(), z.number(), z.boolean()]);
  return noted(z.union([scalar, listOf(scalar)]), notes);
};

/** A check of a length. zod asks for that of every value with a field `length`, and fails where it is a mapping. */
function ofLength<T extends z.core.$ZodCheck>(check: T): T {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}
