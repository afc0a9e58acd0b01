// The command line and the help of `incident schema`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "schema",
  summary: "print the JSON Schema of a definition, for editors",
  flags: {
    template: { usage: "--template", kind: "switch", summary: "print the schema of a template instead" },
  },
  outputs: ["json"],
  examples: [
    {
      command: "incident schema > incident.schema.json",
      summary: "the file that the first line of incident new names",
    },
  ],
  notes:
    `The schema checks everything but the names of the catalog and the values of \${variables}, which incident\n` +
    "replaces when it reads the file.",
});
