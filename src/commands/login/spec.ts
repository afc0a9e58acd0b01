// The command line and the help of `incident login`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";

export const spec = defineCommand({
  name: "login",
  summary: "check a key and store it in a profile",
  flags: {
    apiKeyStdin: flag.switch("--api-key-stdin", "read the key from stdin instead of asking for it"),
  },
  outputs: ["table", "json"],
  examples: {
    "incident login": "asks for base URL, account and key",
    "incident login --profile staging": "another profile beside it",
    "pass show incident | incident login --api-key-stdin --account $ACCOUNT":
      "without a terminal; the base URL from INCIDENT_CLI_BASE_URL",
  },
  notes:
    "The file is readable by you alone. Nothing is stored unless the service accepts the key and refuses a made-up one.",
});
