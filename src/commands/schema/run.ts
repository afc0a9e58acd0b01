// `incident schema`: the JSON Schema of a definition or a template, generated from the schema that validates it.
import type { Run } from "../define-command.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (_, { flags }) => {
  const { definitionJsonSchema, templateJsonSchema } = await import("../../incident/json-schema.ts");
  return { data: flags.template ? templateJsonSchema() : definitionJsonSchema() };
};
