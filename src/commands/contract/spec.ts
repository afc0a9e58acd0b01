// The command lines and the help of the commands of `incident contract`.
import { defineCommand } from "../../kit/define-command.ts";
import { type FlagSpecs, flag } from "../../kit/flags.ts";
import { variableFlags } from "../../kit/shared-flags.ts";

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
  operands: "[file...]",
  completions: "files",
  flags: {
    ...from,
    offline: flag.switch(
      "--offline",
      "read no document: list the rules of the saved contract, and what it knows",
    ),
    recursive: flag.switch("-R, --recursive", "look into the folders of a folder as well"),
    ...variableFlags,
  },
  exclusive: [["offline", "from"]],
  outputs: ["table", "json"],
  examples: {
    "incident contract check": "with the definitions of the project's folders",
    "incident contract check incidents/": "with these definitions",
    "incident contract check --offline": "every rule of the saved contract, with its JSON pointer",
  },
  notes:
    "It exits with 0 where nothing changed, and with 11 where the document says something else: first each definition " +
    "that was valid and no longer is, then the rules and the operations that are new or gone. It writes nothing.",
});
