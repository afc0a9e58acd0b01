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

const incident = object(incidentFields);

/** The incident says whether this command declared it, where one that is open can answer. */
const declared = object({
  "how?": oneOf("declared", "open", "over", "not-applicable", "posted", "posted-before"),
  "because?": text,
  ...incidentFields,
});

/** The incident as it was read last, and what happened to it. */
const changed = object({
  how: oneOf("posted", "posted-before", "edited", "edited-before"),
  ...incidentFields,
});

/** A request that would be sent, as --dry-run of create, update and resolve prints it. */
const planned = object({
  method: text,
  url: text,
  headers: mapOf(text),
  body: text,
  confirm: text,
  command: listOf(text),
});

const position = object({ line: whole, column: whole });

const diagnostic = object({
  code: text,
  level: oneOf("error", "warning"),
  message: text,
  hint: text,
  location: object({ file: text, start: position, end: position, source: text }),
  "example?": text,
  "mostCharacters?": whole,
});

const kind = oneOf(...Object.keys(exitCodes));
const changes = oneOf("update", "edit");
const result = oneOf("ok", "note", "wrong");

const operationFields: Fields = {
  id: text,
  state: oneOf("sending", "uncertain", "created", "refused", "not-created", "unsent"),
  name: text,
  baseUrl: text,
  "change?": object({ kind: changes, incidentId: text, "status?": text, "fields?": listOf(text) }),
  "notify?": flag,
  "key?": text,
  "dedupKey?": text,
  events: listOf(
    object({
      at: text,
      type: text,
      detail: text,
      "origin?": object({ "actor?": text, "host?": text, "runUrl?": text, "version?": text }),
    }),
  ),
  "serviceId?": text,
  "link?": text,
  "account?": text,
  "status?": text,
};

const operation = object(operationFields);

/** The consent that a command needs, or would take. */
const confirmable: Fields = { "confirm?": text, "command?": listOf(text) };

const source = object({ from: text });
const stays = ["unchanged", "resolved", "drifted", "gone", "failed"];
const ends = oneOf("created", "changed", ...stays, "uncertain", "not-tried");

const ability = oneOf("list", "update", "edit", "list services");
const operations = object({ can: listOf(ability), cannot: listOf(ability) });

/** By the names of their commands, or of what each of them can print. */
export const outputs = {
  get: { anyOf: [incident, listOf(incident)] },
  update: changed,
  resolve: { anyOf: [changed, listOf(changed)] },
  create: { anyOf: [declared, listOf(declared)] },
  apply: object({
    dryRun: flag,
    summary: mapOf(whole),
    results: listOf(
      object({
        id: text,
        name: text,
        file: text,
        action: oneOf("create", "change", ...stays, "unsettled", "not-read"),
        "result?": ends,
        "serviceId?": text,
        "link?": text,
        "requests?": listOf(object({ method: text, path: text, body: { type: "object" } })),
        "edits?": listOf(object({ field: text, wanted: text, "found?": text })),
        "posted?": whole,
        "differences?": listOf(object({ field: text, wanted: text, "found?": text })),
        "error?": object({ kind, message: text, hint: text }),
      }),
    ),
    ...confirmable,
    baseUrl: text,
    accountId: text,
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
    checks: listOf(object({ check: text, status: result, message: text, "hint?": text, "kind?": kind })),
  }),
  gate: object({
    blocked: flag,
    known: whole,
    incidents: listOf(incident),
    unknown: listOf(object({ id: text, problem: text, "name?": text })),
  }),
  list: listOf(incident),
  "contract-pull": object({ file: text, source, operations }),
  "contract-check": object({
    unchanged: flag,
    source,
    differences: listOf(object({ is: oneOf("new", "gone"), text })),
    operations,
  }),
  "templates-list": listOf(object({ name: text, file: text, variables: listOf(text), "headline?": text })),
  open: object({ id: text, link: text }),
  "journal-list": listOf(operation),
  "journal-show": object({ ...operationFields, "changes?": listOf(operation) }),
  "journal-settle": { anyOf: [operation, listOf(operation)] },
  "journal-accept": object({ journal: text, accepted: whole }),
  "journal-copy": object({ from: text, to: text, copied: whole, unchanged: whole, conflicts: listOf(text) }),
  "journal-init": object({ journal: text, tables: flag }),
  "config-show": object({
    settings: listOf(object({ name: text, value: textOrNull, origin: textOrNull })),
    userFile: text,
    projectFile: textOrNull,
  }),
  login: object({ profile: text, baseUrl: text, accountId: text, isDefault: flag, file: text }),
  logout: object({ profile: text, removed: flag, file: text }),
  "services-import": listOf(object({ name: text, outcome: oneOf("added", "changed", "same"), service })),
  "services-list": mapOf(service),
  preview: { anyOf: [planned, listOf(planned), object({ how: oneOf("not-applicable"), because: text })] },
  warning: object({ warning: text }),
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
      "preview?": {},
    }),
  }),
} as const satisfies Record<string, Schema>;

/** The schema of an output, in draft 2020-12. Throws for another format. */
export function outputSchema(name: string): object {
  const schema = Object.entries(outputs).find(([output]) => output === name)?.[1];
  if (schema === undefined) throw new Error(`no schema for ${name}`);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema };
}
