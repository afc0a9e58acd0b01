// The command lines and the help of the commands of `incident journal`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { filterFlags } from "../../kit/shared-flags.ts";

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
    ...filterFlags,
  },
  outputs: ["table", "json", "id"],
  examples: {
    "incident journal list": "the newest creates, newest first",
    "incident journal list --open": "what may still be open",
    "incident journal list --since 30d -o json": "a month for an audit, with who sent what from where",
  },
  notes:
    "HERE is the outcome that this journal has. LAST STATUS is the status that was declared or posted last " +
    "from here: the list asks the service nothing.\n" +
    "--profile and --account restrict the list as well. Without --limit, a restricted list is complete, and so is -o json.\n" +
    "What does not say its service or its severity matches each.",
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
  operands: "[id...]",
  completions: "incidents",
  flags: {
    allUnsettled: flag.switch(
      "--all-unsettled",
      "every create without a known outcome; at a terminal, asks for each",
    ),
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
    "incident journal settle --all-unsettled": "each one in turn, after a kill",
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

export const exportSpec = defineCommand({
  name: "journal export",
  summary: "write the journal to a file, as a backup",
  operands: "<file>",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    'incident journal export "journal-$(date +%F).jsonl"': "every event, a line of JSON each",
    "incident journal export - | gzip > journal.jsonl.gz": "to stdout",
  },
  notes:
    "The file is new and readable by you alone. The journal in this machine's folder also has texts for customers.",
});

export const importSpec = defineCommand({
  name: "journal import",
  summary: "add the events of such a file to the journal",
  operands: "<file>",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident journal import journal-2026-11-24.jsonl":
      "into the journal of INCIDENT_CLI_JOURNAL, or of the profile",
    "gunzip -c journal.jsonl.gz | incident journal import -": "from stdin",
  },
  notes:
    "It can be interrupted and repeated, and changes no event. Exit code 6 names operations that the journal has in another\n" +
    "way. 3: the file was cut or changed, and nothing was imported.",
});

export const initSpec = defineCommand({
  name: "journal init",
  summary: "make the tables of a journal in PostgreSQL",
  flags: {
    sql: flag.switch("--sql", "print the SQL instead, for a person who may run it"),
  },
  outputs: ["table", "json"],
  modes: { sql: ["text"] },
  examples: {
    "incident journal init": "in the database of INCIDENT_CLI_JOURNAL, or of the profile",
    "incident journal init --sql": "the same as SQL, with a role that can only read and append",
  },
  notes: "Run it once for a database. Tables that exist stay as they are.",
});
