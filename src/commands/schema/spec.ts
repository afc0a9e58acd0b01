// The command line and the help of `incident schema`.
import { defineCommand } from "../define-command.ts";
import { describedOutputs } from "../formats.ts";

/** The kinds of files that have a schema. */
export const writtenFiles = ["definition", "template", "project", "profile", "scenario"] as const;

export const spec = defineCommand({
  name: "schema",
  summary: "print the JSON Schema of a definition, or of what a command prints with -o json",
  flags: {
    for: {
      usage: "--for <file>",
      kind: "text",
      choices: writtenFiles,
      summary: "print the schema of this kind of file; the default is definition",
    },
    template: { usage: "--template", kind: "switch", summary: "the same as --for template" },
  },
  outputs: ["json", ...describedOutputs],
  examples: [
    {
      command: "incident schema > incident.schema.json",
      summary: "the file that the first line of incident new names",
    },
    { command: "incident schema --for project", summary: "the schema of .incident.yaml" },
    { command: "incident schema --output apply", summary: "the schema of what apply -o json prints" },
  ],
  notes:
    `The schema checks everything but the names of the catalog and the values of \${variables}, which incident\n` +
    "replaces when it reads the file. With incident.contract.json, it has the rules of the service as well.\n\n" +
    "-o json prints the schema of a definition. Every other value of -o names an output of a command: error is\n" +
    "the last line of stderr under -o json. A later version can add fields to an output. It removes or renames\n" +
    "a field only with a new formatVersion.",
});
