// The metadata of a schema, for editors and messages. Separate from the schemas, so that checking a settings file does
// not create them. Zod's `describe` copies the schema, which takes as long as creating it.
import * as z from "zod/mini";

/** Adds metadata to the schema and returns the same schema. */
export function withMeta<T extends z.core.$ZodType>(schema: T, meta: z.core.GlobalMeta): T {
  z.globalRegistry.add(schema, meta);
  return schema;
}

export function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  return z.globalRegistry.get(schema) ?? {};
}
