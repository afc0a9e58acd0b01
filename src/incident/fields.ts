// The fields of a definition that a flag or an answer can give, each as a schema of itself alone.
import * as z from "zod/mini";
import { definitionSchema } from "./definition.ts";

const update = definitionSchema.shape.incidentUpdates.def.element;

export const fieldSchemas = {
  name: z.pick(definitionSchema, { name: true }),
  severity: z.pick(definitionSchema, { severity: true }),
  description: z.pick(update, { description: true }),
  status: z.pick(update, { status: true }),
};
