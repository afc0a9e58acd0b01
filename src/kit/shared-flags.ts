// The flags that several commands share.
import { severities, statuses } from "../incident/values.ts";
import { type FlagSpecs, flag } from "./flags.ts";

/** The severities and the statuses of an incident, as the value of a flag. */
export const severityValues = severities.map((severity) => severity.toLowerCase());
export const statusValues = statuses.map((status) => status.toLowerCase());

/** The fields of a definition. */
export const fieldFlags = {
  name: flag.text("--name <text>", "the headline that customers see"),
  severity: flag.text("--severity <severity>", "critical, major, medium or minor", severityValues),
  service: flag.list(
    "--service <service>",
    "an affected service: a name of the catalog, NAME=GUID, or a known GUID (repeatable)",
    "services",
  ),
  message: flag.text("--message <text>", "the text that customers read"),
  status: flag.text("--status <status>", "investigating, identified, monitoring or resolved", statusValues),
  startedAt: flag.text(
    "--started-at <time>",
    "when it began: 2026-03-01T09:30:00Z, or -20m for 20 minutes ago",
  ),
} as const satisfies FlagSpecs;

/** Whether the updates of a definition notify. */
export const notifyFlags = {
  notify: flag.switch("--notify", "tell subscribers"),
  noNotify: flag.switch("--no-notify", "do not tell subscribers"),
} as const satisfies FlagSpecs;

/** The values of the variables in definitions. */
export const variableFlags = {
  var: flag.list("--var <name=value>", `the value of \${name} (repeatable)`, "variables"),
  vars: flag.list(
    "--vars <file>",
    "read variables from a YAML or JSON file, or - for stdin; a.0.b names a nested value",
    "files",
  ),
} as const satisfies FlagSpecs;

/** The consent of a person to what a preview showed. */
export const confirmFlags = {
  confirm: flag.text(
    "--confirm <digest>",
    "send only what a preview with this digest showed; for anything else, exit 13 and send nothing",
  ),
} as const satisfies FlagSpecs;

/** The way around a contract that refuses wrongly. */
export const contractFlags = {
  ignoreContract: flag.switch(
    "--ignore-contract",
    "do not check against incident.contract.json, where it is wrong in an emergency",
  ),
} as const satisfies FlagSpecs;

/** The way around the policy of the project. */
export const policyFlags = {
  overridePolicy: flag.text(
    "--override-policy <reason>",
    "go on against the policy of .incident.yaml, in an emergency; the journal keeps the reason",
  ),
} as const satisfies FlagSpecs;

/** Where definitions are read from, and with which variables. */
export const definitionFlags = {
  file: flag.list("-f, --file <path>", "a YAML file, a folder, or - for stdin (repeatable)", "files"),
  recursive: flag.switch("-R, --recursive", "include sub-folders"),
  ...variableFlags,
} as const satisfies FlagSpecs;
