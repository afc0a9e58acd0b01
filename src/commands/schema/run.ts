// `incident schema`: the JSON Schema of a definition, generated from the schema that validates it.
import type { Run } from "../define-command.ts";

export const run: Run = async () => {
  const { definitionJsonSchema } = await import("../../incident/json-schema.ts");
  return { data: definitionJsonSchema() };
};
