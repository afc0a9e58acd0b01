// The command line and the help of `incident templates`.
import { defineCommand } from "../../kit/define-command.ts";

const notes = `A template is a file in incident-templates/, or in the folder that templates: of
.incident.yaml names. It has two documents:

~~~
variables:
  region: { values: { eu: Europe, us: America } }
  summary: { maxLength: 200, otherwise: We are looking into it. }
---
name: Checkout fails in \${region}
severity: MAJOR
services: [checkout]
incidentUpdates:
  - description: \${summary}
~~~

A variable may have values, otherwise and maxLength. incident validate checks templates as
it checks definitions.`;

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
