// The command lines and the help of the commands of `incident services`.
import { defineCommand } from "../../kit/define-command.ts";

export const listSpec = defineCommand({
  name: "services list",
  isDefault: true,
  summary: "list the services that definitions can use by name",
  flags: {},
  outputs: ["table", "json", "id"],
  examples: { "incident services list": "the catalog of this project" },
});

export const importSpec = defineCommand({
  name: "services import",
  summary: "add the services of the service, or of an incident, to the catalog",
  operands: "[incident-id...]",
  completions: "incidents",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident services import": "all services, where the service's document describes a list of them",
    "incident services import 7c9e6679-7425-40de-944b-e07fc1f90ae7": "the services of an incident",
  },
  notes: "The catalog is services: in .incident.yaml. An existing entry changes only after a confirmation.",
});
