// A definition as it stands in a file, for editors: what is declared, and beside that a service by its name in the
// project's catalog, which is not in the definition that comes out.
import * as z from "zod";
import { definitionSchema, serviceSchema } from "./definition.ts";
import { visiblePattern } from "./rules.ts";

const { services } = definitionSchema.shape;

const catalogName = z
  .string()
  .regex(visiblePattern)
  .meta({ description: "The name of a service in the project's catalog, services: in .incident.yaml." });

const writtenSchema = definitionSchema
  .extend({
    services: z
      .array(z.union([catalogName, serviceSchema]))
      .min(1)
      .meta(services.meta() ?? {}),
  })
  .meta(definitionSchema.meta() ?? {});

/** JSON Schema (draft 7, which every editor's YAML support reads) of what may stand in a definition. */
export function definitionJsonSchema(): object {
  return z.toJSONSchema(writtenSchema, { target: "draft-7" });
}
