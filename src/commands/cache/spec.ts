// The command line and the help of `incident cache warm`.
import { defineCommand } from "../define-command.ts";

export const spec = defineCommand({
  name: "cache warm",
  summary: "compile the common commands ahead, so that their first run is as fast as every other",
  flags: {},
  outputs: ["table", "json"],
  examples: [
    { command: "incident cache warm", summary: "a step of an image's build, after the installation" },
  ],
  notes:
    "The first two runs of each command compile it; the code is kept for this user and this version of Node.js. This command makes those runs against a sandbox of its own: it sends nothing anywhere else, and uses no settings and no journal of yours.",
});
