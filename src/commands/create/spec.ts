// The command line and the help of `incident create`.
import { defineCommand, inGroup } from "../define-command.ts";
import {
  confirmFlags,
  contractFlags,
  definitionFlags,
  policyFlags,
  statusValues,
} from "../shared/flag-specs.ts";

export const spec = defineCommand({
  name: "create",
  summary: "declare incidents from files, from flags, or from your answers to a few questions",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...inGroup("What", {
      name: { usage: "--name <text>", kind: "text", summary: "the headline that customers see" },
      severity: {
        usage: "--severity <severity>",
        kind: "text",
        summary: "critical, major, medium or minor",
        completions: ["critical", "major", "medium", "minor"],
      },
      service: {
        usage: "--service <service>",
        kind: "list",
        summary: "an affected service: a name of the catalog, NAME=GUID, or a known GUID (repeatable)",
        completions: "services",
      },
      message: { usage: "--message <text>", kind: "text", summary: "the text that customers read" },
      status: {
        usage: "--status <status>",
        kind: "text",
        summary: "investigating, identified, monitoring or resolved",
        completions: statusValues,
      },
      startedAt: {
        usage: "--started-at <time>",
        kind: "text",
        summary: "when it began: 2026-03-01T09:30:00Z, or -20m for 20 minutes ago",
      },
    }),
    ...inGroup("From where", {
      ...definitionFlags,
      template: {
        usage: "--template <name>",
        kind: "text",
        summary: "a template of this project, with its variables; see incident templates",
        completions: "templates",
      },
    }),
    ...inGroup("Identity", {
      key: {
        usage: "--key <text>",
        kind: "text",
        summary: "identify the incident: every run with the same text declares the same one",
      },
      dedupKey: {
        usage: "--dedup-key <text>",
        kind: "text",
        summary:
          "one open incident for this text: while it is open, answer with it; once resolved, declare another",
      },
    }),
    ...inGroup("Notify and preview", {
      notify: { usage: "--notify", kind: "switch", summary: "tell subscribers" },
      noNotify: { usage: "--no-notify", kind: "switch", summary: "do not tell subscribers" },
      dryRun: {
        usage: "--dry-run",
        kind: "switch",
        summary: "print the request and send nothing; -o curl prints it as a command",
      },
      ...confirmFlags,
    }),
    ...inGroup("In an emergency", {
      new: {
        usage: "--new",
        kind: "switch",
        summary: "declare another incident, even if a similar one is unfinished or has no known outcome",
      },
      withoutLooking: {
        usage: "--without-looking",
        kind: "switch",
        summary: "send even if the service cannot be read; another machine may have declared it",
      },
      noJournal: {
        usage: "--no-journal",
        kind: "switch",
        summary: "send without the journal; a rerun may then declare it twice",
      },
      ...contractFlags,
      ...policyFlags,
    }),
  },
  outputs: ["table", "json", "yaml", "id", "markdown", "curl"],
  examples: [
    { command: "incident create", summary: "at a terminal: asks for everything" },
    { command: "incident create -f checkout.yaml", summary: "declare an incident" },
    { command: "id=$(incident create -f checkout.yaml -o id)", summary: "keep its id" },
    {
      command: "incident create -f incidents/ -R",
      summary: "every definition in a folder and its sub-folders",
    },
    { command: "generate | incident create -f -", summary: "from another program" },
    {
      command: "incident create --name 'Checkout fails' --severity major --service checkout --message '…'",
      summary: "without a file",
    },
    {
      command: "incident create --template checkout --var region=eu --dedup-key checkout-eu",
      summary: "from an alert that fires again and again: one open incident",
    },
    {
      command: "incident create -f checkout.yaml --started-at -20m",
      summary: "it began before it was declared",
    },
    {
      command: "incident create --template checkout --var region=eu",
      summary: "from a template of this project",
    },
    {
      command: "incident create -f checkout.yaml --dry-run",
      summary: "see the request and its digest first",
    },
    {
      command: "incident create -f checkout.yaml --confirm sha256:…",
      summary: "send only what that preview showed",
    },
    {
      command: "incident create -f checkout.yaml --without-looking",
      summary: "for a service that accepts creates and fails to answer reads",
    },
  ],
  notes:
    "Every file is checked before the first request. After an error in any file, nothing is " +
    "sent. A flag overrides the field of the file.\n" +
    "The API cannot change an incident afterwards: post updates in the service's web application.\n\n" +
    "The catalog of services is in .incident.yaml, or in a profile of the settings file:\n\n" +
    "  services:\n" +
    "    checkout:\n" +
    "      id: GUID\n" +
    "      name: Checkout\n",
});
