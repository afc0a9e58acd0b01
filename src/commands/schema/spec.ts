// The command line and the help of `incident schema`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "schema",
  summary: "print the JSON Schema of a definition, for editors",
  flags: {},
  outputs: ["json"],
  examples: [
    {
      command: "incident schema > incident.schema.json",
      summary: "the file that the first line of incident new names",
    },
  ],
  notes:
    "It says all that JSON Schema can say. Not in it: the calendar, invisible text, what the catalog holds, and\n" +
    `\${variables}, which stand for their value only when incident reads the file.`,
});
