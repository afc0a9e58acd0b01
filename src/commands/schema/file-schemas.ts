// The JSON Schemas of the files that a person writes, from the schemas that check them, in draft 7, which the YAML support of
// every editor reads. A definition may also have the name of a service of the catalog, and ${variables}.
import * as z from "zod/mini";
import { policySchema } from "../../incident/policy-rules.ts";
import { catalogSchema, definitionSchema } from "../../incident/schemas.ts";
import { templateSchema } from "../../incident/template-rules.ts";
import { guidPattern, visiblePattern } from "../../rules/forms.ts";
import { type FormName, notesOf, type Schema } from "../../rules/kinds.ts";
import { projectSettingsSchema, userSettingsSchema } from "../../workspace/settings-schemas.ts";

export const fileSchemas = {
  definition: definitionJsonSchema,
  template: () => ({
    $schema: draft7,
    title: "Incident template",
    // An editor checks each document of a file on its own.
    anyOf: [jsonSchemaOf(templateSchema()), definitionJsonSchema()],
  }),
  project: projectJsonSchema,
  profile: () => ({
    ...jsonSchemaOf(userSettingsSchema()),
    title: "Settings of incident for a user (config.yaml)",
  }),
} as const;

const draft7 = "http://json-schema.org/draft-07/schema#";
const variable = "\\$\\{";

/** A date of the calendar, with leap years: an editor has no other way to calculate it. */
const date = [
  "\\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])",
  "\\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)",
  "\\d{4}-02-(?:0[1-9]|1\\d|2[0-8])",
  "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29",
].join("|");

const time = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";

const whole = (source: string) => `^(?:${source})$|${variable}`;
const guid = guidPattern.source.slice(1, -1);
const visible = visiblePattern().source;

/** The pattern of a text in each form, and the message of an editor. */
const patterns: Readonly<Record<FormName, readonly [pattern: string, message: string]>> = {
  guid: [whole(guid), "Write a GUID: 8-4-4-4-12 hexadecimal digits."],
  guidOrNone: [whole(`${guid}|none`), "Write a GUID: 8-4-4-4-12 hexadecimal digits, or none."],
  date: [whole(date), "Write a date of the calendar, as YYYY-MM-DD."],
  dateTime: [
    whole(`(?:${date})T${time}`),
    "Write a date and time with an offset, such as 2026-03-01T09:30:00Z.",
  ],
  visible: [visible, "Write text that customers can read."],
  line: [`^(?=[^]*${visible})\\s*[^\\p{Cc}]*\\s*$`, "Write text that customers can read, on one line."],
  filled: ["[^]", "Write text."],
  values: ["", "Write a value, or a list of values."],
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

function jsonSchemaOf(schema: Schema): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-07", io: "input", override: addNotes });
}

function addNotes({
  jsonSchema: json,
  zodSchema,
}: {
  jsonSchema: JsonSchema;
  zodSchema: z.core.$ZodType;
}): void {
  const { description, examples, form, title } = notesOf(zodSchema);
  // Without the example of an id, which a completion would insert: each definition needs one of its own.
  Object.assign(json, title && { title }, description && { description }, examples && { examples });
  if (form !== undefined) [json.pattern, json.patternErrorMessage] = patterns[form];
  if (json.enum === undefined) return;
  const patternErrorMessage = `Write one of ${json.enum.join(", ")}.`;
  json.anyOf = [{ enum: json.enum }, { type: "string", pattern: variable, patternErrorMessage }];
  delete json.enum;
  delete json.type;
}

function definitionJsonSchema(): object {
  const json = jsonSchemaOf(definitionSchema());
  const services = json.properties?.services as JsonSchema;
  const name = {
    type: "string",
    pattern: visible,
    description: "The name of a service in the catalog, services: in .incident.yaml.",
  };
  services.items = { anyOf: [name as JsonSchema, services.items as JsonSchema] };
  return json;
}

function projectJsonSchema(): object {
  const { properties, ...json } = jsonSchemaOf(projectSettingsSchema());
  const sections = { services: jsonSchemaOf(catalogSchema()), policy: jsonSchemaOf(policySchema()) };
  const title = "Settings of incident for a project (.incident.yaml)";
  return { ...json, title, properties: { ...properties, ...sections } };
}
