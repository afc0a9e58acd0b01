// The facts of a zod schema that the messages for violations need: its fields, its values and its examples.
import type * as z from "zod/mini";
import type { Path } from "../../diagnostic.ts";
import { metaOf } from "../../incident/with-meta.ts";
import { ownValue } from "../../own-value.ts";
import { dateTimePattern } from "../../rules/forms.ts";
import { habitualField } from "./habits.ts";
import type { Kind, ViolationDetails } from "./violation.ts";

export type Schema = z.core.$ZodType;

export function schemaAt(root: Schema, path: Path): Schema {
  return path.reduce<Schema>((schema, step) => {
    const parent = unwrap(schema);
    const def = defOf(parent);
    switch (def.type) {
      case "object":
        return ownValue(def.shape, step) ?? parent;
      case "record":
        return def.valueType;
      case "array":
        return def.element;
      default:
        return parent;
    }
  }, root);
}

/** The facts of a schema that the messages need. */
export function schemaFacts(
  schema: Schema,
): Pick<
  ViolationDetails,
  "fields" | "requiredFields" | "entryFields" | "requiredEntryFields" | "allowed" | "format" | "example"
> {
  const def = defOf(unwrap(schema));
  const entry = def.type === "array" ? schemaFacts(def.element) : undefined;
  const fields = def.type === "object" ? Object.entries(def.shape) : [];
  return {
    fields: fields.map(([name]) => name),
    requiredFields: fields.filter(([, field]) => !isOptional(field)).map(([name]) => name),
    entryFields: entry?.fields ?? [],
    requiredEntryFields: entry?.requiredFields ?? [],
    allowed: def.type === "enum" ? Object.values(def.entries).map(String) : [],
    format: formatOf(unwrap(schema)),
    example: exampleOf(schema),
  };
}

function formatOf(schema: Schema): string | undefined {
  const { format, pattern } = metaOf(schema);
  if (pattern === dateTimePattern.source) return "date-time";
  return typeof format === "string" ? format : undefined;
}

/** The lists of a mapping, and the fields of their entries. */
export function listsOf(schema: Schema): readonly (readonly [list: string, fields: readonly string[]])[] {
  const def = defOf(unwrap(schema));
  if (def.type !== "object") return [];
  return Object.entries(def.shape).map(([list, child]) => [list, schemaFacts(child).entryFields]);
}

/** The list whose entries have the field, and the field's name there. */
export function ownerOf(key: string, lists: ReturnType<typeof listsOf>): ViolationDetails["owner"] {
  for (const [list, fields] of lists) {
    const field = fields.includes(key) ? key : habitualField(key, fields);
    if (field !== undefined) return { list, field };
  }
  return undefined;
}

/** The example of a field. A list or mapping combines the examples of its required fields. */
function exampleOf(schema: Schema): unknown {
  const { examples } = metaOf(schema);
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  const def = defOf(unwrap(schema));
  if (def.type === "array") return [exampleOf(def.element)];
  if (def.type !== "object") return undefined;
  const requiredFields = Object.entries(def.shape).filter(([, field]) => !isOptional(field));
  return Object.fromEntries(requiredFields.map(([name, field]) => [name, exampleOf(field)]));
}

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["array", "list"],
  ["boolean", "boolean"],
  ["enum", "text"],
  ["number", "number"],
  ["object", "mapping"],
  ["record", "mapping"],
  ["string", "text"],
]);

export function expectedKind(schema: Schema): Kind | undefined {
  return kinds.get(defOf(unwrap(schema)).type);
}

/** The schema inside `optional` and `nullable`. */
function unwrap(schema: Schema): Schema {
  const def = defOf(schema);
  return def.type === "optional" || def.type === "nullable" ? unwrap(def.innerType) : schema;
}

function isOptional(schema: Schema): boolean {
  return defOf(schema).type === "optional";
}

/** The definition of a schema, a union discriminated by `type`. */
function defOf(schema: Schema) {
  return (schema as z.core.$ZodTypes)._zod.def;
}
