// The command lines and the help of the commands of `incident contract`.
import { defineCommand } from "../../kit/define-command.ts";
import { type FlagSpecs, flag } from "../../kit/flags.ts";

const from = {
  from: flag.text(
    "--from <file|url>",
    "the document, if it is not the service's openapi.json; - for stdin",
    "files",
  ),
} as const satisfies FlagSpecs;

export const pullSpec = defineCommand({
  name: "contract pull",
  summary: "keep what the service's own openapi.json says about a create",
  flags: from,
  outputs: ["table", "json"],
  examples: {
    "incident contract pull": "of the service of the settings",
    "incident contract pull --from openapi.yaml": "of a document that you have",
  },
  notes:
    "It writes incident.contract.json beside .incident.yaml, to be committed and reviewed. From then on validate, " +
    "create, apply, preview, new and schema check against it as well, offline. It prints the rules that the service " +
    "has beside the built-in ones, and says which other operations the service describes: to list incidents, to update " +
    "and edit one, to list services.\n\n" +
    "The document can be OpenAPI 3.0 or 3.1 or Swagger 2.0, as JSON or YAML, also with gzip, up to 64 MiB. The key " +
    "is sent to the service of the settings alone.",
});

export const checkSpec = defineCommand({
  name: "contract check",
  summary: "compare the contract with the service's document as it is now",
  flags: from,
  outputs: ["table", "json"],
  examples: {
    "incident contract check": "once a day, in a pipeline",
    "incident contract check --from openapi.yaml": "with a document that you have",
  },
  notes:
    "It exits with 0 where nothing changed, and with 11 where the document says something else: the rules and the " +
    "operations that are new or gone. It writes nothing.",
});
