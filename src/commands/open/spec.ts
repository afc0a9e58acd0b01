// The command line and the help of `incident open`.
import { defineCommand } from "../../kit/define-command.ts";

export const spec = defineCommand({
  name: "open",
  summary: "print the address of an incident in the web application, and open it",
  operands: "<id>",
  completions: "incidents",
  flags: {},
  outputs: ["table", "json"],
  examples: { "incident open 7c9e6679-7425-40de-944b-e07fc1f90ae7": "to post an update" },
  notes:
    "The address comes from webUrl of the profile, or from INCIDENT_CLI_WEB_URL. At a terminal, the system's browser opens\n" +
    "an address that begins with https://. With --no-input, and where CI is set, it is only printed.",
});
