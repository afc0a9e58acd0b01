// The command line and the help of `incident gate`.
import { severities } from "../../incident/values.ts";
import { defineCommand } from "../define-command.ts";
import { definitionFlags } from "../shared/flag-specs.ts";

const { file, recursive } = definitionFlags;

export const spec = defineCommand({
  name: "gate",
  summary: "stop a deploy while a known incident is open",
  flags: {
    service: {
      usage: "--service <service>",
      kind: "list",
      summary: "only incidents of this service: a name of the catalog, or a GUID (repeatable)",
      completions: "services",
    },
    severity: {
      usage: "--severity <severity>",
      kind: "text",
      summary: "only incidents that are at least this severe",
      completions: severities.map((severity) => severity.toLowerCase()),
    },
    file: { ...file, summary: "also the incidents of a YAML file or a folder, by their ids (repeatable)" },
    recursive,
  },
  outputs: ["table", "json", "yaml", "id"],
  examples: [
    { command: "incident gate && ./deploy.sh", summary: "deploy only while no known incident is open" },
    {
      command: "incident gate --service checkout --severity major",
      summary: "only incidents of one service, MAJOR or worse",
    },
    { command: "incident gate -f incidents/ -R", summary: "also the incidents of a folder" },
  ],
  notes:
    "The incidents are those of the journal, for the account and the service of the settings: a journal that several\n" +
    "machines share speaks for all of them. The API cannot list incidents, so others are not known here.\n" +
    "Exit code 0: none is open. 12: the open ones are listed. 7: one could not be read.",
});
