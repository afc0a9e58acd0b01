// `incident schema`: the JSON Schema of a file that a person writes, from the schema that checks it.
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";

/** The kinds of files that have a schema. */
export const writtenFiles = ["definition", "template", "project", "profile"] as const;

export const spec = defineCommand({
  name: "schema",
  flags: {
    for: flag.choice(
      "--for <file>",
      "print the schema of this kind of file; the default is definition",
      writtenFiles,
    ),
  },
  result: "schema",
  examples: {
    "incident schema > incident.schema.json": "the file that the first line of incident new names",
    "incident schema --for project": "the schema of .incident.yaml",
  },
  notes:
    `The schema checks everything but the names of the catalog and the values of \${variables}, which incident\n` +
    "replaces when it reads the file. The rules of incident.contract.json are checked by incident validate.",
});

export const run: Run<typeof spec> = async (_context, { flags }) => {
  const { fileSchemas } = await import("./file-schemas.ts");
  const kind = writtenFiles.find((name) => name === flags.for) ?? "definition";
  return { is: "schema", data: fileSchemas[kind]() };
};
