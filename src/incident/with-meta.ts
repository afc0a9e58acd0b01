// What editors and messages say of a schema, beside it: zod's own `describe` copies the schema, which takes as long
// as making it.
import * as z from "zod/mini";

/** The same schema, with its description. */
export function described<T extends z.core.$ZodType>(schema: T, meta: z.core.GlobalMeta): T {
  z.globalRegistry.add(schema, meta);
  return schema;
}

export function descriptionOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  return z.globalRegistry.get(schema) ?? {};
}
