// The command line and the help of `incident gate`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags, severityValues } from "../../kit/shared-flags.ts";

const { file, recursive } = definitionFlags;

/** The reads of a run: fewer than the service permits in a minute (spec 8). */
export const mostReads = 500;

export const spec = defineCommand({
  name: "gate",
  summary: "stop a deploy while a known incident is open",
  flags: {
    service: flag.list(
      "--service <service>",
      "only incidents of this service: a name of the catalog, or a GUID (repeatable)",
      "services",
    ),
    severity: flag.text(
      "--severity <severity>",
      "only incidents that are at least this severe",
      severityValues,
    ),
    file: { ...file, summary: "also the incidents of a YAML file or a folder, by their ids (repeatable)" },
    recursive,
    since: flag.text(
      "--since <time>",
      "only incidents that were declared since then, such as 7d or 2026-11-01",
    ),
  },
  outputs: ["table", "json", "yaml", "id"],
  examples: {
    "incident gate && ./deploy.sh": "deploy only while no known incident is open",
    "incident gate --service checkout --severity major": "only incidents of one service, MAJOR or worse",
    "incident gate -f incidents/ -R": "also the incidents of a folder",
  },
  notes:
    "The incidents are those of the journal, for the account and the service of the settings: a journal that several\n" +
    "machines share speaks for all of them. The API cannot list incidents, so others are not known here.\n" +
    `Each run reads at most ${mostReads} incidents, the newest first. It never reads one again that it has seen resolved.\n` +
    "Exit code 0: none is open. 12: the open ones are listed. 7: not all of them could be read.",
});
