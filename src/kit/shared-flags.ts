// The flags that several commands share.
import { incidentTextFields, type TextField, updateTextFields } from "../incident/definition.ts";
import { severities, statuses } from "../incident/values.ts";
import { listOf } from "../text/lengths.ts";
import { type FlagSpecs, flag } from "./flags.ts";

const severityValues = severities.map((severity) => severity.toLowerCase());
export const statusValues = statuses.map((status) => status.toLowerCase());

const textFlag = ({ flag: name, summary, values: given }: TextField) => {
  const values = given?.map((value) => value.toLowerCase());
  const taken = values === undefined ? "text" : name;
  return flag.text(`--${name} <${taken}>`, summary ?? listOf(values ?? [], "or"), values);
};

/** Typed by the names that code reads; a further field of the list has its flag as well. */
function textFlags<K extends string>(fields: readonly TextField[], ..._names: readonly K[]) {
  return Object.fromEntries(fields.map((field) => [field.flag, textFlag(field)])) as Readonly<
    Record<K, ReturnType<typeof textFlag>>
  >;
}

export const fieldFlags = {
  ...textFlags(incidentTextFields, "name", "severity"),
  service: flag.list(
    "--service <service>",
    "every affected service: a name or a GUID of the catalog, or NAME=GUID (repeatable)",
  ),
  ...textFlags(updateTextFields, "message", "status"),
  startedAt: flag.text(
    "--started-at <time>",
    "when it began: 2026-03-01T09:30:00Z, or -20m for 20 minutes ago",
  ),
} as const satisfies FlagSpecs;

/** How a run sends: whether it notifies, the consent to a preview, and the ways around the journal and the contract. */
export const sendFlags = {
  notify: flag.switch("--notify", "tell subscribers"),
  noNotify: flag.switch("--no-notify", "do not tell subscribers"),
  dryRun: flag.switch("--dry-run", "print the requests and send nothing; -o curl prints them as commands"),
  confirm: flag.text(
    "--confirm <digest>",
    "send only what a preview with this digest showed; for anything else, exit 13 and send nothing",
  ),
  noJournal: flag.switch("--no-journal", "send without the journal; a rerun may then send it twice"),
  ignoreContract: flag.switch(
    "--ignore-contract",
    "do not check against incident.contract.json, where it is wrong",
  ),
} as const satisfies FlagSpecs;

export const filterFlags = {
  service: flag.list(
    "--service <service>",
    "only incidents of this service: a name of the catalog, or a GUID (repeatable)",
  ),
  severity: flag.choice(
    "--severity <severity>",
    "only incidents that are at least this severe",
    severityValues,
  ),
  since: flag.text("--since <time>", "only incidents that were created since then, such as 7d or 2026-11-01"),
} as const satisfies FlagSpecs;

export const definitionFlags = {
  file: flag.list("-f, --file <path>", "a YAML file, a folder, or - for stdin (repeatable)"),
  recursive: flag.switch("-R, --recursive", "include sub-folders"),
  var: flag.list("--var <name=value>", `the value of \${name} (repeatable)`),
  vars: flag.list(
    "--vars <file>",
    "read variables from a YAML or JSON file, or - for stdin; a.0.b names a nested value",
  ),
} as const satisfies FlagSpecs;
