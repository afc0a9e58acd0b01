// The JSON Schemas of what commands print with -o json: what a script may rely on.

import type { JsonSchema } from "../../src/document/json-schema.ts";
import { exitCodes } from "../../src/failure.ts";

/** With `const`, for which rules have an enumeration. */
type Schema = JsonSchema & { readonly const?: unknown };

type Fields = Readonly<Record<string, Schema>>;

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };
const flag: Schema = { type: "boolean" };
const textOrNull: Schema = { type: ["string", "null"] };

const listOf = (items: Schema): Schema => ({ type: "array", items });
const mapOf = (values: Schema): Schema => ({ type: "object", additionalProperties: values });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
const described = (description: string, schema: Schema): Schema => ({ description, ...schema });

/** A field whose name ends with a question mark can be missing. */
const object = (fields: Fields): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name.replace("?", ""), schema]),
  ),
  required: Object.keys(fields).filter((name) => !name.endsWith("?")),
});

const servedTexts = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [`${name}?`, textOrNull]));

const service = object(servedTexts("name", "id", "accountId", "created_at", "updated_at"));

const update = object({
  ...servedTexts("description", "id", "publicIncidentUpdateDate", "created_at", "status"),
  "notifySubscribers?": { type: ["boolean", "null"] },
});

const incidentFields: Fields = {
  ...servedTexts("name", "severity", "id", "created_at", "updated_at", "lastUpdateStatus"),
  "services?": { type: ["array", "null"], items: service },
  "incidentUpdates?": { type: ["array", "null"], items: update },
  "duration?": { type: ["integer", "null"] },
};

const incident = described(
  "The answer of the service, with every field that it sends.",
  object(incidentFields),
);

const several = described("Where several incidents are named.", listOf(incident));

const incidents: Schema = { anyOf: [incident, several] };

/** The incident says whether this command declared it, where one that is open can answer. */
const declared = object({
  "how?": described(
    "With a dedup key: whether it was declared now, or is open. Else only where an incident with the same content is open. With over, an incident of the key that is over had the start time of the alert. Where when of the template does not match, nothing was declared; with resolve, an update was posted, now or before.",
    oneOf("declared", "open", "over", "not-applicable", "posted", "found", "posted-before"),
  ),
  "because?": described("With not-applicable: the value that does not match.", text),
  ...incidentFields,
});

/** The incident as it was read last, and what happened to it. */
const changed = object({
  how: described(
    "Whether the update was posted now, was found of an earlier attempt, or is the last update already; without one, whether the edit was made.",
    oneOf("posted", "found", "posted-before", "edited", "edited-before"),
  ),
  ...incidentFields,
});

const position = object({ line: whole, column: described("In code points, from 1.", whole) });

const diagnostic = object({
  code: text,
  level: oneOf("error", "warning"),
  message: text,
  hint: text,
  location: object({ file: text, start: position, end: position, source: text }),
  "example?": described("Lines of YAML.", text),
  "mostCharacters?": described("The most that the text may have, where it has more.", whole),
});

const kind = oneOf(...Object.keys(exitCodes));

const operationFields: Fields = {
  id: described("The id that was chosen before sending.", text),
  state: oneOf("sending", "uncertain", "created", "refused", "not-created", "unsent"),
  name: text,
  baseUrl: text,
  "change?": described(
    "Of an update or an edit: what it does to which incident. A create has none.",
    object({ kind: oneOf("update", "edit"), incidentId: text, "status?": text, "fields?": listOf(text) }),
  ),
  "notify?": described("Whether it notifies the subscribers.", flag),
  "key?": text,
  "dedupKey?": text,
  events: listOf(
    object({
      at: described("UTC.", text),
      type: text,
      detail: text,
      "origin?": described(
        "Who did it, and where. In a shared journal without the actor and the host, where journalActor is false.",
        object({
          "actor?": text,
          "host?": text,
          "runUrl?": text,
          "version?": text,
        }),
      ),
    }),
  ),
  "serviceId?": described("The service's own id.", text),
  "link?": described("The address in the web application, where webUrl is set.", text),
  "account?": text,
  "status?": described("In journal list: the status of the incident, as far as this machine knows it.", text),
};

const operation = object(operationFields);

const copied = object({
  from: text,
  to: text,
  copied: whole,
  unchanged: whole,
  conflicts: described(
    "The ids that were not copied, because both journals have later entries.",
    listOf(text),
  ),
});

/** The consent that a command needs, or would take. */
const confirmable: Fields = {
  "confirm?": described("The digest of what would be sent, for --confirm.", text),
  "command?": described("The words of the command line that sends exactly this.", listOf(text)),
};

const source = object({ from: text });

const ability = oneOf("list", "update", "edit", "list services");
const operations = described(
  "What the service's document describes beside create and get.",
  object({ can: listOf(ability), cannot: listOf(ability) }),
);

/** By the names of their commands; `error` is the last line of stderr. */
export const outputs = {
  get: incidents,
  update: changed,
  resolve: changed,
  create: { anyOf: [declared, described("Of several.", listOf(declared))] },
  apply: object({
    dryRun: flag,
    summary: described("The number of each action in a plan, else of each result.", mapOf(whole)),
    results: listOf(
      object({
        id: text,
        name: text,
        file: text,
        action: oneOf("create", "change", "unchanged", "drifted", "gone", "unsettled", "failed", "not-read"),
        "result?": described(
          "Missing in a plan.",
          oneOf("created", "changed", "unchanged", "drifted", "gone", "failed", "uncertain", "not-tried"),
        ),
        "serviceId?": described("The service's own id, if it differs.", text),
        "link?": described("The address in the web application, where webUrl is set.", text),
        "requests?": described(
          "In a plan: what it would send, in its order.",
          listOf(object({ method: text, path: text, body: { type: "object" } })),
        ),
        "edits?": described(
          "The fields that a plan would edit, else those that the run edited.",
          listOf(object({ field: text, wanted: text, "found?": text })),
        ),
        "posted?": described("The number of updates that the run posted.", whole),
        "differences?": listOf(object({ field: text, wanted: text, "found?": text })),
        "error?": object({ kind, message: text, hint: text }),
      }),
    ),
    ...confirmable,
    "baseUrl?": described("Where a plan would declare.", text),
    "accountId?": described('Of the service, or "none".', text),
  }),
  validate: object({
    valid: flag,
    files: whole,
    definitions: whole,
    diagnostics: listOf(diagnostic),
    "warnings?": listOf(diagnostic),
    "templates?": whole,
    "fixes?": listOf(object({ file: text, line: whole, written: text })),
  }),
  doctor: object({
    healthy: flag,
    checks: listOf(
      object({
        check: text,
        status: oneOf("ok", "note", "wrong"),
        message: text,
        "hint?": text,
        "kind?": kind,
      }),
    ),
  }),
  gate: object({
    blocked: flag,
    known: described("The number of incidents that the list, the journal and the files have.", whole),
    incidents: described("The open ones.", listOf(incident)),
    unknown: described(
      "Those whose status is not known.",
      listOf(object({ id: text, problem: text, "name?": text })),
    ),
  }),
  list: described("The newest first.", listOf(incident)),
  "contract-pull": object({
    file: text,
    source,
    operations,
  }),
  "contract-check": object({
    unchanged: flag,
    source,
    differences: listOf(object({ is: oneOf("new", "gone"), text })),
    operations,
  }),
  "templates-list": listOf(
    object({
      name: text,
      file: text,
      variables: listOf(text),
      "headline?": described("Missing for a file that is not a valid template.", text),
    }),
  ),
  open: object({ id: described("The service's own id.", text), link: text }),
  "journal-list": listOf(operation),
  "journal-show": object({
    ...operationFields,
    "changes?": described("The updates and edits of the incident, the newest first.", listOf(operation)),
  }),
  "journal-settle": { anyOf: [operation, described("Of several.", listOf(operation))] },
  "journal-accept": object({
    journal: text,
    accepted: described("How many services and accounts it goes on with.", whole),
  }),
  "journal-copy": copied,
  "journal-init": object({
    journal: text,
    tables: described("Whether the journal has tables, which exist now.", flag),
  }),
  "config-show": object({
    settings: listOf(object({ name: text, value: textOrNull, origin: textOrNull })),
    userFile: text,
    projectFile: textOrNull,
  }),
  login: object({ profile: text, baseUrl: text, accountId: text, isDefault: flag, file: text }),
  logout: object({ profile: text, removed: described("Whether the profile held a key.", flag), file: text }),
  "services-import": listOf(object({ name: text, outcome: oneOf("added", "changed", "same"), service })),
  "services-list": described("The services by their names in the catalog.", mapOf(service)),
  error: object({
    error: object({
      kind,
      exitCode: whole,
      message: text,
      hint: text,
      retryable: flag,
      "example?": text,
      "commands?": listOf(object({ command: text, purpose: text })),
      "diagnostics?": listOf(diagnostic),
      "response?": object({ status: whole, "body?": {} }),
      ...confirmable,
      "preview?": described("The requests that would be sent, or the plan.", {}),
    }),
  }),
} as const satisfies Record<string, Schema>;

/** The schema of an output, in draft 2020-12. Throws for another format. */
export function outputSchema(name: string): object {
  const schema = Object.entries(outputs).find(([output]) => output === name)?.[1];
  if (schema === undefined) throw new Error(`no schema for ${name}`);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema };
}
