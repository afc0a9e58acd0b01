// The schemas that check a definition, its services, and a catalog: made from the table of fields.
import { once } from "../once.ts";
import * as kinds from "../rules/kinds.ts";
import { type Definition, type Field, incident, type Service, service, type Table } from "./definition.ts";

export function schemaOf(field: Field): kinds.Schema {
  const { entries, kind = "visible", values } = field;
  if (entries !== undefined) return kinds.listOf(mapping(entries), field);
  if (values !== undefined) return kinds.oneOf(values, field);
  if (kind === "dateOrNull") return kinds.orNull(kinds.text("date", field));
  if (kind === "boolean") return kinds.boolean(field);
  return kind === "integer" ? kinds.integer(field) : kinds.text(kind, field);
}

function mapping(table: Table): kinds.Schema {
  const rows = Object.entries(table);
  const fields = rows.map(([name, field]) => [name, schemaOf(field)] as const);
  const required = rows.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return kinds.mapping(Object.fromEntries(fields), required);
}

export const serviceSchema = once(() => mapping(service) as kinds.Schema<Service>);

/** Services by the names that definitions use for them. */
export const catalogSchema = once(() =>
  kinds.recordOf(serviceSchema(), { examples: [{ checkout: { id: "CHANGEME", name: "Checkout" } }] }),
);

export const definitionSchema = once(() => mapping(incident) as kinds.Schema<Definition>);
