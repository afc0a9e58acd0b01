// Whether the tool satisfies a rule of a contract anyway: by its own rules for definitions, or because it writes the
// field itself.

import type { JsonType, RuleFormat, RuleSchema } from "../../rules/openapi/contract.ts";
import type { Rule, RuleKeyword } from "../../rules/openapi/rules.ts";
import { maxNameLength, severities, statuses } from "../values.ts";
import { bodyFields, serviceFields, updateFields } from "../wire.ts";

/** The value at a field that every body of this tool has. */
interface SentField {
  readonly type: JsonType;
  /** Whether each body has the field. */
  readonly always?: true;
  readonly format?: RuleFormat;
  readonly values?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  /** The fields that a mapping can have. */
  readonly fields?: readonly string[];
}

const text = { type: "string", minLength: 1 } as const;
const guid = { type: "string", format: "uuid", minLength: 36, maxLength: 36 } as const;
const date = { type: "string", format: "date", minLength: 10, maxLength: 10 } as const;

const sentFields: ReadonlyMap<string, SentField> = new Map<string, SentField>([
  ["", { type: "object", fields: bodyFields }],
  ["name", { ...text, always: true, maxLength: maxNameLength }],
  ["severity", { type: "string", always: true, values: severities }],
  ["services", { type: "array", always: true, minItems: 1 }],
  ["services[]", { type: "object", fields: serviceFields }],
  ["services[].name", { ...text, always: true }],
  ["services[].id", { ...guid, always: true }],
  ["services[].accountId", guid],
  ["services[].created_at", date],
  ["services[].updated_at", date],
  ["incidentUpdates", { type: "array", always: true, minItems: 1 }],
  ["incidentUpdates[]", { type: "object", fields: updateFields }],
  ["incidentUpdates[].description", { ...text, always: true }],
  ["incidentUpdates[].id", guid],
  ["incidentUpdates[].publicIncidentUpdateDate", { type: "string", format: "date-time" }],
  ["incidentUpdates[].created_at", date],
  ["incidentUpdates[].notifySubscribers", { type: "boolean", always: true }],
  ["incidentUpdates[].status", { type: "string", values: statuses }],
  // Sent until the service is known to refuse it.
  ["id", { ...guid, always: true }],
  ["created_at", date],
  ["updated_at", date],
  ["duration", { type: "integer" }],
]);

/** A field of the body that the tool can send. */
export function isSentField(field: string): boolean {
  return sentFields.has(field);
}

/** The built-in rules of a field that can be sent. */
export function builtInSchema(field: string): RuleSchema {
  const { type, format, values } = sentFields.get(field) ?? {};
  return { ...(type && { type }), ...(format && { format }), ...(values && { enum: values }) };
}

/** Whether no definition that the built-in rules accept can break the rule. */
export function isBuiltIn({ field, keyword, schema }: Rule): boolean {
  const sent = sentFields.get(field);
  if (sent === undefined) return false;
  return builtIn[keyword]?.(sent, schema) ?? false;
}

const builtIn: Partial<Record<RuleKeyword, (sent: SentField, schema: RuleSchema) => boolean>> = {
  required: ({ always }) => always === true,
  type: ({ type }, schema) => [schema.type ?? []].flat().some((each) => covers(each, type)),
  enum: ({ values }, schema) => values?.every((value) => schema.enum?.includes(value)) ?? false,
  format: ({ format }, schema) => format === schema.format,
  minLength: (sent, schema) => shortest(sent) >= (schema.minLength ?? 0),
  maxLength: (sent, schema) =>
    longest(sent) <= (schema.maxLength ?? 0) && shortest(sent) >= (schema.minLength ?? 0),
  minItems: ({ minItems = 0 }, schema) => minItems >= (schema.minItems ?? 0),
  "no-other-fields": ({ fields = [] }, { properties = {} }) =>
    fields.every((field) => Object.hasOwn(properties, field)),
};

function covers(accepted: JsonType, sent: JsonType): boolean {
  return accepted === sent || (accepted === "number" && sent === "integer");
}

function shortest({ minLength = 0, values }: SentField): number {
  return values === undefined ? minLength : Math.min(...values.map((value) => value.length));
}

function longest({ maxLength = Number.POSITIVE_INFINITY, values }: SentField): number {
  return values === undefined ? maxLength : Math.max(...values.map((value) => value.length));
}
