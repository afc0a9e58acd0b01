// The kinds of values that people write, as schemas: the schema of zod, which checks a value, with its parts, and the words of
// messages and editors about each. Only the code that checks a value loads zod.
import * as z from "zod/mini";
import type { DiagnosticCode } from "../diagnostic.ts";
import { controlIn, isDate, isDateTime, isGuid, isVisible } from "./forms.ts";
import type { ValueType } from "./quote.ts";

// Most runs check a few values: the code that zod writes for a schema takes longer than it saves.
z.config({ jitless: true });

export interface Schema<T = unknown> extends Notes {
  readonly zod: z.ZodMiniType<T>;
  /** The type of its values, beside null; of several, text. */
  readonly type: ValueType;
  /** The values of an enumeration; none of another schema. */
  readonly values: readonly string[];
  /** The schemas of the fields of a mapping; none of another schema. */
  readonly fields: Readonly<Record<string, Schema>>;
  /** That of the entries of a list. */
  readonly entry?: Schema;
  /** That of the values of a mapping from any name. */
  readonly each?: Schema;
  /** Of a field that a mapping may lack. */
  readonly isOptional?: true;
}

export type ValueOf<S extends () => Schema> = ReturnType<S> extends Schema<infer T> ? T : never;

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

function schema<T>(zod: z.ZodMiniType<T>, type: ValueType, parts: Partial<Schema>): Schema<T> {
  return { values: [], fields: {}, ...parts, zod, type };
}

export function text(name: FormName, notes: Notes = {}): Schema<string> {
  const { maxLength } = notes;
  const inForm = z.check<string>(({ issues, value }) => {
    if (!forms[name].check(value)) issues.push({ code: "custom", input: value });
  });
  // Given at once: zod builds a schema again to add a check.
  const checks = maxLength === undefined ? [inForm] : [inForm, ofLength(z.maxLength(maxLength))];
  return schema(z.string({ checks }), "string", { ...notes, form: name });
}

/** Text of any characters. */
export const anyText = (notes: Notes = {}): Schema<string> => schema(z.string(), "string", notes);

export const visible = (notes: Notes = {}): Schema<string> => text("visible", notes);

export const oneOf = <T extends string>(values: readonly T[], notes: Notes = {}): Schema<T> =>
  schema(z.enum(values), "string", { ...notes, values });

export const listOrNone = <T>(entry: Schema<T>): Schema<T[]> =>
  schema(z.array(entry.zod), "array", { entry });

/** A list of at least one entry. */
export const listOf = <T>(entry: Schema<T>, notes: Notes = {}): Schema<T[]> =>
  schema(z.array(entry.zod).check(ofLength(z.minLength(1))), "array", { ...notes, entry });

export const boolean = (notes: Notes = {}): Schema<boolean> => schema(z.boolean(), "boolean", notes);

export const integer = (notes: Notes = {}): Schema<number> => schema(z.int(), "number", notes);

export const positive = (): Schema<number> => schema(z.int().check(z.minimum(1)), "number", {});

export const orNull = <T>(own: Schema<T>): Schema<T | null> => ({ ...own, zod: z.nullable(own.zod) });

/** A mapping from any name to such a value. */
export const recordOf = <T>(each: Schema<T>, notes: Notes = {}): Schema<Record<string, T>> =>
  schema(z.record(z.string(), each.zod), "object", { ...notes, each });

type MappingOf<T extends Readonly<Record<string, Schema>>, R> = z.infer<
  z.ZodMiniObject<{ [K in keyof T]: K extends R ? T[K]["zod"] : z.ZodMiniOptional<T[K]["zod"]> }>
>;

/** A mapping of these fields and no others. */
export function mapping<const T extends Readonly<Record<string, Schema>>, R extends keyof T & string = never>(
  all: T,
  required: readonly R[] = [],
): Schema<MappingOf<T, R>> {
  const isRequired = (name: string) => required.some((each) => each === name);
  const rows = Object.entries<Schema>(all).map(
    ([name, own]) => [name, isRequired(name) ? own : { ...own, isOptional: true as const }] as const,
  );
  const shape = rows.map(([name, { isOptional, zod }]) => [name, isOptional ? z.optional(zod) : zod]);
  const zod: z.ZodMiniType = z.strictObject(Object.fromEntries(shape));
  return schema(zod as z.ZodMiniType<MappingOf<T, R>>, "object", { fields: Object.fromEntries(rows) });
}

type Scalar = string | number | boolean;

/** A value, or a list of at least one. */
export const scalars = (notes: Notes = {}): Schema<Scalar | Scalar[]> => {
  const scalar: z.ZodMiniType<Scalar> = z.union([z.string(), z.number(), z.boolean()]);
  const list = z.array(scalar).check(ofLength(z.minLength(1)));
  return schema(z.union([scalar, list]), "string", notes);
};

/** A check of a length. zod asks for that of every value with a field `length`, and fails where it is a mapping. */
function ofLength<T extends z.core.$ZodCheck>(check: T): T {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}
