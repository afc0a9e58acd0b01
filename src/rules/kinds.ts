// The kinds of values as schemas of zod, with words for messages and editors. Only the code that checks a value loads zod.
import * as z from "zod/mini";
import type { DiagnosticCode } from "../diagnostic.ts";
import { controlIn, isDate, isDateTime, isGuid, isVisible } from "./forms.ts";
import type { ValueType } from "./quote.ts";

// Most runs check a few values: the code that zod writes for a schema takes longer than it saves.
z.config({ jitless: true });

export type { infer as ValueOf, ZodMiniType as Zod } from "zod/mini";
export { array, nullable, optional, strictObject as mapping, string } from "zod/mini";

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
    (text) => isVisible(text) && controlIn(text.trim()) === undefined,
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

export function isFreeText(name: FormName | undefined): boolean {
  return name === undefined || forms[name].example === undefined;
}

/** A schema of zod as a description. */
export interface Schema extends Notes {
  /** The type of its values other than null; text where they have several types. */
  readonly type: Exclude<ValueType, "null">;
  readonly isOptional?: boolean;
  /** Of an enumeration. */
  readonly values: readonly string[];
  /** The fields of a mapping. */
  readonly shape: Readonly<Record<string, z.ZodMiniType>>;
  /** Of the entries of a list. */
  readonly element?: z.ZodMiniType;
  /** Of the values of a mapping from any name. */
  readonly valueType?: z.ZodMiniType;
}

const registry = z.registry<Notes>();

/** For an optional or nullable schema, the notes and parts of the schema in it. */
export function schemaOf(zod: z.core.$ZodType): Schema {
  const { type } = zod._zod.def;
  const { entries = {}, innerType, ...own } = zod._zod.def as Partial<Schema> & Inner;
  if (innerType !== undefined) return { ...schemaOf(innerType), isOptional: type === "optional" };
  return {
    shape: {},
    ...own,
    ...registry.get(zod),
    type: (valueTypes[type] ?? type) as Schema["type"],
    values: Object.keys(entries),
  };
}

type Inner = { readonly entries?: object; readonly innerType?: z.ZodMiniType };

const valueTypes: Partial<Record<string, ValueType>> = { enum: "string", union: "string", record: "object" };

/** A mapping of these fields and no others; each field is optional. */
export const optionals = <T extends Readonly<Record<string, z.ZodMiniType>>>(shape: T) =>
  z.partial(z.strictObject(shape));

export function text(form: FormName, notes: Notes = {}) {
  const { maxLength } = notes;
  const inForm = z.check<string>(({ issues, value }) => {
    if (!forms[form].check(value)) issues.push({ code: "custom", input: value });
  });
  // Given at once: zod builds a schema again to add a check.
  const checks = maxLength === undefined ? [inForm] : [inForm, ofLength(z.maxLength(maxLength))];
  return z.string({ checks }).register(registry, { ...notes, form });
}

export const nonEmptyList = <S extends z.ZodMiniType>(entry: S, notes: Notes = {}) =>
  z
    .array(entry)
    .check(ofLength(z.minLength(1)))
    .register(registry, notes);

export const boolean = (notes: Notes = {}) => z.boolean().register(registry, notes);

export const integer = (notes: Notes) => z.int().register(registry, notes);

export const oneOf = <const T extends readonly string[]>(values: T, notes: Notes = {}) =>
  z.enum(values).register(registry, notes);

export const positive = () => z.int().check(z.minimum(1));

/** A mapping from any name to such a value. */
export const recordOf = <S extends z.ZodMiniType>(each: S, notes: Notes) =>
  z.record(z.string(), each).register(registry, notes);

/** A value, or a list of at least one. */
export function scalars(notes: Notes) {
  const scalar = z.union([z.string(), z.number(), z.boolean()]);
  return z.union([scalar, nonEmptyList(scalar)]).register(registry, notes);
}

/** A check of a length, for texts and lists alone: zod also applies it to a mapping with a field `length`, and fails. */
function ofLength<T extends z.core.$ZodCheck>(check: T): T {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}
