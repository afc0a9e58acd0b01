// `incident schema`: the JSON Schema of a definition or a template, generated from the schema that validates it; or the
// one of an output.
import type { Run } from "../define-command.ts";
import { readProjectContract } from "../shared/project/contract.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, { flags, format, global }) => {
  if (format === "json") {
    const { definitionJsonSchema, templateJsonSchema } = await import("../../incident/json-schema.ts");
    if (flags.template) return { data: templateJsonSchema() };
    const contract = await readProjectContract(context, global);
    const body = contract?.create.body;
    if (body === undefined) return { data: definitionJsonSchema() };
    const { fileSchema } = await import("../../incident/contract/file-schema.ts");
    return { data: { ...definitionJsonSchema(), allOf: [fileSchema(body)] } };
  }
  const { outputSchema } = await import("./output-schemas.ts");
  return { views: { [format]: () => `${JSON.stringify(outputSchema(format), undefined, 2)}\n` } };
};
