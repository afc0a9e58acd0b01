// The JSON Schemas of the output of commands with -o json. Answers of the service are described as the API describes them,
// and every field of them can be missing or null.
import { exitCodes } from "../../failure.ts";
import type { outputNames } from "./spec.ts";

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
}

type Fields = Readonly<Record<string, Schema>>;

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };
const flag: Schema = { type: "boolean" };
const textOrNull: Schema = { type: ["string", "null"] };

const listOf = (items: Schema): Schema => ({ type: "array", items });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
const described = (description: string, schema: Schema): Schema => ({ description, ...schema });

/** `optional` fields can be missing. */
const object = (fields: Fields, optional: Fields = {}): Schema => ({
  type: "object",
  properties: { ...fields, ...optional },
  required: Object.keys(fields),
});

const formatVersion = described("Changes when a field is removed or renamed.", { const: 1 });

/** A value of the service, which can be missing or null. */
const served = (type: string): Schema => ({ type: [type, "null"] });

const service = object(
  {},
  {
    name: served("string"),
    id: served("string"),
    accountId: served("string"),
    created_at: served("string"),
    updated_at: served("string"),
  },
);

const update = object(
  {},
  {
    description: served("string"),
    id: served("string"),
    publicIncidentUpdateDate: served("string"),
    created_at: served("string"),
    notifySubscribers: served("boolean"),
    status: served("string"),
  },
);

const incident = described(
  "The answer of the service, with every field that it sends.",
  object(
    {},
    {
      name: served("string"),
      severity: served("string"),
      services: { type: ["array", "null"], items: service },
      incidentUpdates: { type: ["array", "null"], items: update },
      id: served("string"),
      created_at: served("string"),
      updated_at: served("string"),
      duration: served("integer"),
      lastUpdateStatus: served("string"),
    },
  ),
);

const incidents: Schema = {
  anyOf: [incident, described("Where several incidents are named.", listOf(incident))],
};

const position = object({ line: whole, column: described("In code points, from 1.", whole) });

const diagnostic = object(
  {
    code: described("incident explain CODE says more.", text),
    level: oneOf("error", "warning"),
    message: text,
    hint: text,
    location: object({ file: text, start: position, end: position, source: text }),
  },
  { example: described("Lines of YAML.", text) },
);

const kind = oneOf(...Object.keys(exitCodes));

const operation = object(
  {
    id: described("The id that was chosen before sending.", text),
    state: oneOf("sending", "uncertain", "created", "refused", "not-created", "unsent"),
    name: text,
    baseUrl: text,
    events: listOf(object({ at: described("UTC.", text), type: text, detail: text })),
  },
  { serviceId: described("The service's own id.", text), account: text },
);

const setting = object({ value: textOrNull, origin: textOrNull });

const outputs = {
  get: incidents,
  create: incidents,
  apply: object({
    formatVersion,
    dryRun: flag,
    summary: described("The number of each action in a plan, else of each result.", {
      type: "object",
      additionalProperties: whole,
    }),
    results: listOf(
      object(
        {
          id: text,
          name: text,
          file: text,
          action: oneOf("create", "unchanged", "known", "drifted", "gone", "unsettled", "failed", "not-read"),
          services: listOf(text),
        },
        {
          result: described(
            "Missing in a plan.",
            oneOf("created", "unchanged", "known", "drifted", "gone", "failed", "uncertain", "not-tried"),
          ),
          serviceId: described("The service's own id, if it differs.", text),
          differences: listOf(object({ field: text, wanted: text }, { found: text })),
          liveStatus: described("The status at the service, where there are differences.", text),
          resolvedOnlyInFile: flag,
          notifies: described("The number of its updates that notify subscribers.", whole),
          error: object({ kind, message: text, hint: text }),
        },
      ),
    ),
  }),
  validate: object(
    {
      formatVersion,
      valid: flag,
      files: whole,
      definitions: whole,
      diagnostics: listOf(diagnostic),
    },
    {
      warnings: listOf(diagnostic),
      untold: described("The number of diagnostics that are left out.", whole),
      fixes: listOf(object({ file: text, line: whole, after: listOf(text) }, { before: text })),
    },
  ),
  doctor: object({
    formatVersion,
    healthy: flag,
    checks: listOf(
      object(
        { check: text, status: oneOf("ok", "note", "wrong", "skipped"), message: text },
        { hint: text, kind },
      ),
    ),
  }),
  "journal-list": listOf(operation),
  "journal-show": operation,
  "config-show": object({
    formatVersion,
    settings: listOf(
      object({ name: text, value: textOrNull, origin: textOrNull, overridden: listOf(setting) }),
    ),
  }),
  "services-list": described("The services by their names in the catalog.", {
    type: "object",
    additionalProperties: service,
  }),
  error: object({
    error: object(
      { kind, exitCode: whole, message: text, hint: text, retryable: flag },
      {
        example: text,
        commands: listOf(object({ command: text, purpose: text })),
        diagnostics: listOf(diagnostic),
        response: object({ status: whole }, { body: {} }),
        publicText: described("The text for customers, to publish it by hand.", text),
      },
    ),
  }),
} as const satisfies Record<(typeof outputNames)[number], Schema>;

/** The schema of an output, in draft 2020-12. Throws for another format. */
export function outputSchema(name: string): object {
  const schema = Object.entries(outputs).find(([output]) => output === name)?.[1];
  if (schema === undefined) throw new Error(`no schema for ${name}`);
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema };
}
