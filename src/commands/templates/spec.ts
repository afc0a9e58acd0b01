// The command lines and the help of the commands of `incident templates`.
import { defineCommand } from "../../kit/define-command.ts";
import { variableFlags } from "../../kit/shared-flags.ts";

const notes = `A template is a file in incident-templates/, or in the folder that templates: of
.incident.yaml names. It has two documents:

~~~
variables:
  region: { enum: [eu, us] }
  summary: { description: one sentence, maxLength: 200, truncate: true }
---
name: Checkout fails in \${region}
severity: MAJOR
services: [checkout]
incidentUpdates:
  - description: \${summary}
~~~

A variable may have description, default, enum, pattern, required, maxLength,
truncate, values and otherwise. incident validate checks templates as it checks definitions.`;

export const listSpec = defineCommand({
  name: "templates list",
  isDefault: true,
  summary: "list the templates of this project",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident templates list": "the names, and the headline of each; list may be left out",
  },
  notes,
});

export const showSpec = defineCommand({
  name: "templates show",
  summary: "show the variables of a template, and the text that customers would see",
  operands: "<name>",
  completions: "templates",
  flags: variableFlags,
  outputs: ["table", "json"],
  examples: { "incident templates show checkout": "before it is needed" },
});
