// `incident schema`: the JSON Schema of a definition, from the schema that checks it.
import { defineCommand, type Run } from "../../kit/define-command.ts";

export const spec = defineCommand({
  name: "schema",
  flags: {},
  result: "schema",
  examples: {
    "incident schema > incident.schema.json": "the file that the first line of incident new names",
  },
  notes:
    `The schema checks everything but the names of the catalog and the values of \${variables}, which incident\n` +
    "replaces when it reads the file. The rules of incident.contract.json are checked by incident validate.",
});

export const run: Run<typeof spec> = async () => {
  const { definitionJsonSchema } = await import("./definition-schema.ts");
  return { is: "schema", data: definitionJsonSchema() };
};
