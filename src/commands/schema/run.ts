// `incident schema`: the JSON Schema of a definition or a template, generated from the schema that validates it; or the
// one of an output.
import type { Run } from "../define-command.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (_, { flags, format }) => {
  if (format === "json") {
    const { definitionJsonSchema, templateJsonSchema } = await import("../../incident/json-schema.ts");
    return { data: flags.template ? templateJsonSchema() : definitionJsonSchema() };
  }
  const { outputSchema } = await import("./output-schemas.ts");
  return { views: { [format]: () => `${JSON.stringify(outputSchema(format), undefined, 2)}\n` } };
};
