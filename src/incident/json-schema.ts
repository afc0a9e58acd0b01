// The JSON Schema of a definition file, for editors. A file may also name a service of the project's catalog, which
// the definition schema does not allow.
import * as z from "zod/mini";
import { definitionSchema, serviceSchema } from "./definition.ts";
import { visiblePattern } from "./rules.ts";
import { metaOf, withMeta } from "./with-meta.ts";

const { services } = definitionSchema.shape;

const catalogName = withMeta(z.string().check(z.regex(visiblePattern)), {
  description: "The name of a service in the project's catalog, services: in .incident.yaml.",
});

const servicesInFile = z.array(z.union([catalogName, serviceSchema])).check(z.minLength(1));

const fileSchema = withMeta(
  z.extend(definitionSchema, { services: withMeta(servicesInFile, metaOf(services)) }),
  metaOf(definitionSchema),
);

/** The JSON Schema (draft 7, which the YAML support of every editor reads) of a definition file. */
export function definitionJsonSchema(): object {
  return z.toJSONSchema(fileSchema, { target: "draft-7" });
}
