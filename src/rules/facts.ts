// Facts of a schema that messages need: the kind of value that it takes, its fields, an example, and the field that a
// person probably meant.

import type * as z from "zod/mini";
import type { Path } from "../diagnostic.ts";
import { nearest, plainName } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { forms, type Given, notesOf, type Schema } from "./kinds.ts";
import { typeNames, type ValueType } from "./quote.ts";

/** The schema without the `optional` and the `nullable` around it. */
function bare(schema: Given): z.core.$ZodTypes | undefined {
  const own = schema as z.core.$ZodTypes | undefined;
  const { def } = own?._zod ?? {};
  return def?.type === "optional" || def?.type === "nullable" ? bare(def.innerType) : own;
}

/** The schemas of the fields of a mapping; none for another value. */
export function shapeOf(schema: Given): Readonly<Record<string, Schema>> {
  const def = bare(schema)?._zod.def;
  return def?.type === "object" ? (def.shape as Record<string, Schema>) : {};
}

export function fieldsOf(schema: Given): readonly string[] {
  return Object.keys(shapeOf(schema));
}

export function requiredOf(schema: Given): readonly string[] {
  const fields = Object.entries(shapeOf(schema));
  return fields.filter(([, own]) => own._zod.def.type !== "optional").map(([name]) => name);
}

/** The schema of the entries of a list. */
export function entryOf(schema: Given): Schema | undefined {
  const def = bare(schema)?._zod.def;
  return def?.type === "array" ? (def.element as Schema) : undefined;
}

/** The values of an enumeration; none for another schema. */
export function valuesOf(schema: Given): readonly string[] {
  const def = bare(schema)?._zod.def;
  return def?.type === "enum" ? Object.values(def.entries).map(String) : [];
}

export function factsOf(schema: Given) {
  return notesOf(bare(schema));
}

/** The schema at a path: the same number of steps into fields and entries. */
export function schemaAt(schema: Given, path: Path): Given {
  return path.reduce<Given>((parent, step) => {
    const def = bare(parent)?._zod.def;
    if (def?.type === "record") return def.valueType;
    return typeof step === "number" ? entryOf(parent) : ownValue(shapeOf(parent), step);
  }, schema);
}

/** The type that a schema takes, beside null; of several, text. */
export function typeOf(schema: Given): ValueType {
  const type = bare(schema)?._zod.def.type ?? "string";
  if (type === "record") return "object";
  return Object.hasOwn(typeNames, type) ? (type as ValueType) : "string";
}

/** An example of a valid value. That of a list or mapping combines the examples of the fields that it must have. */
export function exampleOf(schema: Given): unknown {
  const { examples: [example] = [], form } = factsOf(schema);
  const entry = entryOf(schema);
  if (example !== undefined) return example;
  if (entry !== undefined) return exampleOf(entry) === undefined ? undefined : [exampleOf(entry)];
  const needed = requiredOf(schema).map((name) => [name, exampleOf(ownValue(shapeOf(schema), name))]);
  if (needed.length > 0) return Object.fromEntries(needed);
  return valuesOf(schema)[0] ?? (form && forms[form].example);
}

export function meantField(name: string, schema: Given) {
  const field = nearest(name, fieldsOf(schema)) ?? aliased(name, schema);
  if (field !== undefined) return { field };
  for (const [list, own] of Object.entries(shapeOf(schema))) {
    const entry = entryOf(own);
    const field = fieldsOf(entry).includes(name) ? name : aliased(name, entry);
    if (field !== undefined) return { list, field };
  }
  return undefined;
}

function aliased(name: string, schema: Given): string | undefined {
  const isMeant = (own: Schema) => factsOf(own).aliases?.includes(plainName(name));
  return Object.entries(shapeOf(schema)).find(([, own]) => isMeant(own))?.[0];
}
