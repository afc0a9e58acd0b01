// The schemas that check a definition, its services, and a catalog: made from the table of fields.
import { once } from "../once.ts";
import * as kinds from "../rules/kinds.ts";
import { type Definition, incident, type Service, service } from "./definition.ts";
import type { Field, Kinds, Table } from "./field.ts";
import { maxNameLength } from "./values.ts";

const schemas = {
  text: (notes) => kinds.text("visible", notes),
  headline: (notes) => kinds.text("line", { ...notes, maxLength: maxNameLength }),
  guid: (notes) => kinds.text("guid", notes),
  day: (notes) => kinds.text("date", notes),
  "day or null": (notes) => kinds.orNull(kinds.text("date", notes)),
  time: (notes) => kinds.text("dateTime", notes),
  boolean: kinds.boolean,
  integer: kinds.integer,
} satisfies { readonly [K in keyof Kinds]: (notes: kinds.Notes) => kinds.Schema<Kinds[K]> };

export function schemaOf(field: Field): kinds.Schema {
  const { entries, kind = "text", values } = field;
  if (entries !== undefined) return kinds.listOf(mapping(entries), field);
  return values === undefined ? schemas[kind](field) : kinds.oneOf(values, field);
}

function mapping(table: Table): kinds.Schema {
  const rows = Object.entries(table);
  const fields = rows.map(([name, field]) => [name, schemaOf(field)] as const);
  const required = rows.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return kinds.mapping(Object.fromEntries(fields), required);
}

export const serviceSchema = once(() => mapping(service) as kinds.Schema<Service>);

/** Services by the names that definitions use for them. */
export const catalogSchema = once(() => kinds.recordOf(serviceSchema()));

export const definitionSchema = once(() => mapping(incident) as kinds.Schema<Definition>);
