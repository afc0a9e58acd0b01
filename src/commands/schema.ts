// `incident schema`: the JSON Schema of a definition, from the schema that checks it.
import type { Run } from "./command.ts";

export const run: Run = async () => {
  const { definitionJsonSchema } = await import("../incident/written.ts");
  return { data: definitionJsonSchema() };
};
