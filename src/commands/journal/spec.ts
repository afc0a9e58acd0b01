// The command lines and the help of the commands of `incident journal`.
import { defineCommand } from "../define-command.ts";

export const listSpec = defineCommand({
  name: "journal list",
  summary: "list the creates that were sent from here",
  flags: {},
  outputs: ["table", "json", "yaml", "id"],
  examples: [{ command: "incident journal list", summary: "every create, oldest first" }],
});

export const showSpec = defineCommand({
  name: "journal show",
  summary: "show everything that happened to a create",
  operands: "<id>",
  completions: "incidents",
  flags: {},
  outputs: ["table", "json", "yaml"],
  examples: [
    {
      command: "incident journal show 7c9e6679-7425-40de-944b-e07fc1f90ae7",
      summary: "its attempts and their endings",
    },
  ],
});

export const settleSpec = defineCommand({
  name: "journal settle",
  summary: "say what came of a create whose outcome is not known",
  operands: "<id>",
  completions: "incidents",
  flags: {
    created: { usage: "--created", kind: "switch", summary: "it was declared: a rerun sends nothing" },
    serviceId: {
      usage: "--service-id <guid>",
      kind: "text",
      summary: "with --created: the id that the service gave it, if it is another",
    },
    notCreated: {
      usage: "--not-created",
      kind: "switch",
      summary: "it was not declared: a rerun sends it; should it appear after all, there are two",
    },
    resend: {
      usage: "--resend",
      kind: "switch",
      summary: "send it again now, under the same id; should the first have counted, there may be two",
    },
  },
  outputs: ["table", "json", "yaml"],
  examples: [
    { command: "incident journal settle $ID", summary: "look for it once more" },
    { command: "incident journal settle $ID --created", summary: "somebody has seen it" },
    { command: "incident journal settle $ID --not-created", summary: "it is certain that it is not there" },
  ],
  notes: "Without a flag it looks for the incident and settles it if it is there.",
});
