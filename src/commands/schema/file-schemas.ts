// The JSON Schemas of the files that a person writes, from the schemas that check them.
// A definition may also have the name of a service of the catalog, and ${variables}, which its rules do not allow.

import { catalogRules, definitionRules } from "../../incident/definition.ts";
import { policyRules } from "../../incident/policy-rules.ts";
import { templateRules } from "../../incident/template-rules.ts";
import { isFreeText } from "../../rules/formats.ts";
import { guidPattern, visiblePattern } from "../../rules/forms.ts";
import type { RuleFormat, RuleSchema } from "../../rules/rule-schema.ts";
import { projectSettingsRules, userSettingsRules } from "../../workspace/settings.ts";

export const fileSchemas = {
  definition: definitionJsonSchema,
  template: templateJsonSchema,
  project: projectJsonSchema,
  profile: () => jsonSchemaOf("Settings of incident for a user (config.yaml)", userSettingsRules),
} as const;

const catalogName: RuleSchema = {
  type: "string",
  format: "x-visible-text",
  description: "The name of a service in the catalog, services: in .incident.yaml.",
};

const variable = "\\$\\{";

/** A date of the calendar, with leap years: an editor has no other way to calculate it. */
const date = [
  "\\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])",
  "\\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)",
  "\\d{4}-02-(?:0[1-9]|1\\d|2[0-8])",
  "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29",
].join("|");

const time = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";

/** The pattern of a text in each format that a definition uses, and the message of an editor. */
const patterns: Partial<Record<RuleFormat, readonly [source: string, message: string]>> = {
  uuid: [guidPattern.source.slice(1, -1), "Write a GUID: 8-4-4-4-12 hexadecimal digits."],
  "x-uuid-or-none": [
    `${guidPattern.source.slice(1, -1)}|none`,
    "Write a GUID: 8-4-4-4-12 hexadecimal digits, or none.",
  ],
  date: [date, "Write a date of the calendar, as YYYY-MM-DD."],
  "x-iso-date-time": [
    `(?:${date})T${time}`,
    "Write a date and time with an offset, such as 2026-03-01T09:30:00Z.",
  ],
};

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The JSON Schema (draft 7, which the YAML support of every editor reads) of a definition file. */
function definitionJsonSchema(): object {
  const { services = {} } = definitionRules.properties ?? {};
  const inFile: RuleSchema = { ...services, items: { anyOf: [catalogName, services.items ?? {}] } };
  const properties = { ...definitionRules.properties, services: inFile };
  return { ...draft7, ...forEditors({ ...definitionRules, properties }) };
}

function projectJsonSchema(): object {
  const rules = projectSettingsRules;
  const sections = { services: catalogRules, policy: policyRules };
  return jsonSchemaOf("Settings of incident for a project (.incident.yaml)", {
    ...rules,
    properties: { ...rules.properties, ...sections },
  });
}

function jsonSchemaOf(title: string, rules: RuleSchema): object {
  return { title, ...draft7, ...forEditors(rules) };
}

const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };

/** Accepts variables, checks dates, and describes each pattern in words. */
function forEditors(rules: RuleSchema): JsonSchema {
  const { enum: values, format, ...others } = rules;
  const schema = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith("x-")));
  if (format !== undefined && isFreeText(format)) {
    const visible = visiblePattern().source;
    const isOneLine = format === "x-one-line";
    const pattern = isOneLine ? `^(?=[^]*${visible})\\s*[^\\p{Cc}]*\\s*$` : visible;
    const patternErrorMessage = `Write text that customers can read${isOneLine ? ", on one line" : ""}.`;
    return { ...schema, pattern, patternErrorMessage };
  }
  const [source, patternErrorMessage] = (format && patterns[format]) ?? [];
  if (source !== undefined) {
    const { examples, ...rest } = schema;
    // Without the example of an id, which a completion would insert: each definition needs one of its own.
    const kept = format === "x-iso-date-time" && examples !== undefined ? { examples } : {};
    return { ...rest, pattern: `^(?:${source})$|${variable}`, patternErrorMessage, ...kept };
  }
  if (values !== undefined) {
    const { type, ...rest } = schema;
    const patternErrorMessage = `Write one of ${values.join(", ")}.`;
    return { ...rest, anyOf: [{ enum: values }, { type: "string", pattern: variable, patternErrorMessage }] };
  }
  return { ...(rules.type === "integer" && safeIntegers), ...schema, ...changeParts(rules) };
}

/** The keywords whose values are schemas. */
function changeParts({ additionalProperties, anyOf, items, properties }: RuleSchema): JsonSchema {
  const fields = Object.entries(properties ?? {}).map(([name, part]) => [name, forEditors(part)]);
  return {
    ...(items && { items: forEditors(items) }),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(additionalProperties && { additionalProperties: forEditors(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(forEditors) }),
  };
}

/** The numbers that the interpreter of the rules takes for whole. */
const safeIntegers = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function templateJsonSchema(): object {
  return {
    ...draft7,
    title: "Incident template",
    // An editor checks each document of a file on its own.
    anyOf: [{ ...draft7, ...forEditors(templateRules) }, definitionJsonSchema()],
  };
}
