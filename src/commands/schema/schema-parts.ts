// The parts that the schemas of several outputs share. Answers of the service are described as the API describes them,
// and every field of them can be missing or null.
import { exitCodes } from "../../failure.ts";

export interface Schema {
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

export const text: Schema = { type: "string" };
export const whole: Schema = { type: "integer" };
export const flag: Schema = { type: "boolean" };
export const textOrNull: Schema = { type: ["string", "null"] };

export const listOf = (items: Schema): Schema => ({ type: "array", items });
export const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
export const described = (description: string, schema: Schema): Schema => ({ description, ...schema });

export const object = (fields: Fields, optional: Fields = {}): Schema => ({
  type: "object",
  properties: { ...fields, ...optional },
  required: Object.keys(fields),
});

export const formatVersion = described("Changes when a field is removed or renamed.", { const: 1 });

const served = (type: string): Schema => ({ type: [type, "null"] });

export const service = object(
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

const incidentFields: Fields = {
  name: served("string"),
  severity: served("string"),
  services: { type: ["array", "null"], items: service },
  incidentUpdates: { type: ["array", "null"], items: update },
  id: served("string"),
  created_at: served("string"),
  updated_at: served("string"),
  duration: served("integer"),
  lastUpdateStatus: served("string"),
};

export const incident = described(
  "The answer of the service, with every field that it sends.",
  object({}, incidentFields),
);

const several = described("Where several incidents are named.", listOf(incident));

export const incidents: Schema = { anyOf: [incident, several] };

/** With a dedup key, the incident says whether this command declared it. */
export const declaredIncidents: Schema = {
  anyOf: [
    object(
      {},
      {
        how: described(
          "With a dedup key: whether it was declared now, or is open. Where when of the template does not match, nothing was declared.",
          oneOf("declared", "open", "not-applicable"),
        ),
        because: described("With not-applicable: the value that does not match.", text),
        ...incidentFields,
      },
    ),
    several,
  ],
};

const position = object({ line: whole, column: described("In code points, from 1.", whole) });

export const diagnostic = object(
  {
    code: described("incident explain CODE says more.", text),
    level: oneOf("error", "warning"),
    message: text,
    hint: text,
    location: object({ file: text, start: position, end: position, source: text }),
  },
  { example: described("Lines of YAML.", text) },
);

export const kind = oneOf(...Object.keys(exitCodes));

export const operation = object(
  {
    id: described("The id that was chosen before sending.", text),
    state: oneOf("sending", "uncertain", "created", "refused", "not-created", "unsent"),
    name: text,
    baseUrl: text,
    events: listOf(object({ at: described("UTC.", text), type: text, detail: text })),
  },
  {
    serviceId: described("The service's own id.", text),
    link: described("The address in the web application, where webUrl is set.", text),
    account: text,
    firedAgain: described(
      "In journal show: how often its alert fired on this machine while it was open.",
      object({ count: whole, last: described("UTC.", text) }),
    ),
  },
);

export const setting = object({ value: textOrNull, origin: textOrNull });

/** The consent that a command needs, or would take. */
export const confirmable: Fields = {
  confirm: described("The digest of what would be sent, for --confirm.", text),
  command: described("The words of the command line that sends exactly this.", listOf(text)),
};
