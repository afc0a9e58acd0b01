// The command line and the help of `incident schema`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { describedOutputs } from "../../kit/formats.ts";

/** The kinds of files that have a schema. */
export const writtenFiles = ["definition", "template", "project", "profile", "scenario"] as const;

export const spec = defineCommand({
  name: "schema",
  summary: "print the JSON Schema of a definition, or of what a command prints with -o json",
  flags: {
    for: flag.choice(
      "--for <file>",
      "print the schema of this kind of file; the default is definition",
      writtenFiles,
    ),
    template: flag.switch("--template", "the same as --for template"),
  },
  outputs: ["json", ...describedOutputs],
  examples: {
    "incident schema > incident.schema.json": "the file that the first line of incident new names",
    "incident schema --for project": "the schema of .incident.yaml",
    "incident schema --output apply": "the schema of what apply -o json prints",
  },
  notes:
    `The schema checks everything but the names of the catalog and the values of \${variables}, which incident\n` +
    "replaces when it reads the file. With incident.contract.json, it has the rules of the service as well.\n\n" +
    "-o json prints the schema of a definition. Every other value of -o names an output of a command: error is\n" +
    "the last line of stderr under -o json. A later version can add fields to an output. It removes or renames\n" +
    "a field only with a new formatVersion.",
});
