// A definition as it stands in a file, for editors: what is declared, and beside that a service by its name in the
// project's catalog, which is not in the definition that comes out.
import * as z from "zod/mini";
import { definitionSchema, serviceSchema } from "./definition.ts";
import { visiblePattern } from "./rules.ts";
import { described, descriptionOf } from "./with-meta.ts";

const { services } = definitionSchema.shape;

const catalogName = described(z.string().check(z.regex(visiblePattern)), {
  description: "The name of a service in the project's catalog, services: in .incident.yaml.",
});

const writtenServices = z.array(z.union([catalogName, serviceSchema])).check(z.minLength(1));

const writtenSchema = described(
  z.extend(definitionSchema, { services: described(writtenServices, descriptionOf(services)) }),
  descriptionOf(definitionSchema),
);

/** JSON Schema (draft 7, which every editor's YAML support reads) of what may stand in a definition. */
export function definitionJsonSchema(): object {
  return z.toJSONSchema(writtenSchema, { target: "draft-7" });
}
