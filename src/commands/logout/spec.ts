// The command line and the help of `incident logout`.
import { defineCommand } from "../../kit/define-command.ts";

export const spec = defineCommand({
  name: "logout",
  summary: "remove a profile's stored key",
  flags: {},
  outputs: ["table", "json"],
  examples: { "incident logout --profile staging": "forget the key; keep the rest" },
});
