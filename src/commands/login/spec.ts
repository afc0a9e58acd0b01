// The command line and the help of `incident login`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "login",
  summary: "check a key and store it in a profile",
  flags: {
    apiKeyStdin: {
      usage: "--api-key-stdin",
      kind: "switch",
      summary: "read the key from stdin instead of asking for it",
    },
  },
  outputs: ["table", "json"],
  examples: [
    { command: "incident login", summary: "asks for base URL, account and key" },
    { command: "incident login --profile staging", summary: "another profile beside it" },
    {
      command: "pass show incident | incident login --api-key-stdin --account $ACCOUNT",
      summary: "without a terminal; the base URL from INCIDENT_CLI_BASE_URL",
    },
  ],
  notes:
    "The file is readable by you alone. Nothing is stored unless the service accepts the key and refuses a made-up one.",
});
