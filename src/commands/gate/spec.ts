// The command line and the help of `incident gate`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags, filterFlags } from "../../kit/shared-flags.ts";

const { file, recursive } = definitionFlags;

/** The reads of a run: fewer than the service permits in a minute (spec 8). */
export const mostReads = 500;

export const spec = defineCommand({
  name: "gate",
  summary: "stop a deploy while an incident is open",
  flags: {
    ...filterFlags,
    file: { ...file, summary: "also the incidents of a YAML file or a folder, by their ids (repeatable)" },
    recursive,
    since: flag.text(
      "--since <time>",
      "only incidents that were declared since then, such as 7d or 2026-11-01",
    ),
    allowUnknown: flag.switch(
      "--allow-unknown",
      "pass also where nothing is known here, or the service's document cannot be read",
    ),
  },
  outputs: ["table", "json", "id"],
  examples: {
    "incident gate && ./deploy.sh": "deploy only while no known incident is open",
    "incident gate --service checkout --severity major": "only incidents of one service, MAJOR or worse",
    "incident gate -f incidents/ -R": "also the incidents of a folder",
  },
  notes:
    "Where the service's own document describes a list, these are all incidents of the account, of any origin.\n" +
    "What the journal and the files name, and the list lacks, is read by its id. Without a list, these are all that is\n" +
    "known: a journal that several machines share speaks for all of them. Nothing in the checkout hides the list.\n" +
    `Each run reads at most ${mostReads} incidents by their ids, the newest first. One that was deleted is closed once\n` +
    "neither its id nor a complete list shows it. Exit code 0: none is open. 12: the open ones are listed. 7: something\n" +
    "that is known, or the end of the list, could not be read. 2: nothing is known, or no answer shows that the base\n" +
    "URL is right.",
});
