// The command lines and the help of the commands of `incident journal`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";

export const listSpec = defineCommand({
  name: "journal list",
  isDefault: true,
  summary: "list the creates that were sent from here",
  flags: {
    limit: flag.count("--limit <count>", "the newest so many, and all without a known outcome (default: 50)"),
    open: flag.switch(
      "--open",
      "only those without a known outcome, and the incidents that are not known as resolved",
    ),
    since: flag.text("--since <time>", "only what happened since then, such as 7d or 2026-11-01"),
  },
  outputs: ["table", "json", "id"],
  examples: {
    "incident journal list": "the newest creates, newest first",
    "incident journal list --open": "what may still be open",
    "incident journal list --since 30d -o json": "a month for an audit, with who sent what from where",
  },
  notes:
    "HERE is the outcome that this journal has. LAST STATUS is the status that was declared or posted last " +
    "from here: the list asks the service nothing. Without --limit, a list with --since is complete, and so is -o json.",
});

export const showSpec = defineCommand({
  name: "journal show",
  summary: "show everything that happened to a create",
  operands: "<id>",
  completions: "incidents",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident journal show 7c9e6679-7425-40de-944b-e07fc1f90ae7": "its attempts and their results",
  },
});

export const settleSpec = defineCommand({
  name: "journal settle",
  summary: "record the outcome of creates that got no answer",
  operands: "<id...>",
  completions: "incidents",
  flags: {
    created: flag.switch("--created", "it was declared: a rerun sends nothing"),
    serviceId: flag.text(
      "--service-id <guid>",
      "with --created: the id that the service assigned, if it differs",
    ),
    notCreated: flag.switch(
      "--not-created",
      "it was not declared: a rerun sends it; if the first one exists after all, there are two",
    ),
  },
  exclusive: [
    ["created", "notCreated"],
    ["serviceId", "notCreated"],
  ],
  outputs: ["table", "json"],
  examples: {
    "incident journal settle $ID": "look for it once more",
    "incident journal settle $ID --created": "you have seen it on the status page",
    "incident journal settle $ID --not-created": "you are certain that it does not exist",
  },
  notes:
    "Without a flag, the command looks for the incident and settles the create if the incident exists. Where it is not\n" +
    "found, the command asks at a terminal what the status page shows.\n" +
    "The first digits of an id, and latest, name a create of this service where exactly one without a known outcome fits.\n" +
    "--created and --not-created also correct an earlier decision, until the create is sent again. --not-created also\n" +
    "records that a declared incident was deleted, if the service does not show it. What the service shows when\n" +
    "--not-created looks for it is settled as created.",
});

export const acceptSpec = defineCommand({
  name: "journal accept",
  summary: "go on with a shared journal that was rolled back",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident journal accept": "after a restore, once you have compared it with the status page",
  },
  notes:
    "A machine sends nothing with a shared journal that lacks the last entry that the machine has seen. This command makes\n" +
    "it forget that entry. A later run may send again what the journal lost: settle what the status page shows.",
});

export const copySpec = defineCommand({
  name: "journal copy",
  summary: "copy the journal of this machine into a shared one, or back",
  flags: {
    to: flag.text(
      "--to <journal>",
      "shared, which is the one of the settings; folder, which is this machine; or a location",
    ),
  },
  outputs: ["table", "json"],
  examples: {
    "incident journal copy --to shared": "before the first create with INCIDENT_CLI_JOURNAL",
    "incident journal copy --to folder": "the shared journal to this machine",
  },
  notes:
    "It can be interrupted and repeated. An operation that both journals continued is left as it is, and named.",
});

export const initSpec = defineCommand({
  name: "journal init",
  summary: "make the tables of a journal in PostgreSQL",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident journal init": "in the database of INCIDENT_CLI_JOURNAL, or of the profile",
  },
  notes: "Run it once for a database. Tables that exist stay as they are.",
});
