// The schemas that check a definition, its services, and a catalog: made from the table of fields.
import { once } from "../once.ts";
import * as kinds from "../rules/kinds.ts";
import { type Definition, type Field, incident, type Service, service, type Table } from "./definition.ts";

export function fieldSchema(field: Field): kinds.Zod {
  const { entries, kind = "visible", values } = field;
  if (entries !== undefined) return kinds.nonEmptyList(mappingSchema(entries), field);
  if (values !== undefined) return kinds.oneOf(values, field);
  if (kind === "dateOrNull") return kinds.nullable(kinds.text("date", field));
  if (kind === "boolean") return kinds.boolean(field);
  return kind === "integer" ? kinds.integer(field) : kinds.text(kind, field);
}

function mappingSchema(table: Table): kinds.Zod {
  const fields = Object.entries(table).map(([name, field]) => {
    const own = fieldSchema(field);
    return [name, field.isRequired ? own : kinds.optional(own)] as const;
  });
  return kinds.mapping(Object.fromEntries(fields));
}

export const serviceSchema = once(() => mappingSchema(service) as kinds.Zod<Service>);

/** Services by the names that definitions use for them. */
export const catalogSchema = once(() =>
  kinds.recordOf(serviceSchema(), { examples: [{ checkout: { id: "CHANGEME", name: "Checkout" } }] }),
);

export const definitionSchema = once(() => mappingSchema(incident) as kinds.Zod<Definition>);
