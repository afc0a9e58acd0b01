// The JSON Schema of a definition file, for editors. A file may also contain the name of a service of the catalog, and
// ${variables}, which the definition schema does not allow.
import * as z from "zod/mini";
import { dateTimePattern, guidPattern, visiblePattern } from "../rules/forms.ts";
import { catalogSchema, definitionSchema, serviceSchema } from "./definition.ts";
import { policySchema } from "./policy.ts";
import { templateVariablesSchema } from "./template-schema.ts";
import { metaOf, withMeta } from "./with-meta.ts";

const { services } = definitionSchema.shape;

const catalogName = withMeta(z.string().check(z.regex(visiblePattern())), {
  description: "The name of a service in the catalog, services: in .incident.yaml.",
});

const servicesInFile = z.array(z.union([catalogName, serviceSchema])).check(z.minLength(1));

const fileSchema = withMeta(
  z.extend(definitionSchema, { services: withMeta(servicesInFile, metaOf(services)) }),
  metaOf(definitionSchema),
);

/** A value with a variable is checked when the variable is replaced. */
const variable = "\\$\\{";

/** A date of the calendar, with leap years: an editor has no other way to calculate it. */
const date = [
  "\\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])",
  "\\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)",
  "\\d{4}-02-(?:0[1-9]|1\\d|2[0-8])",
  "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29",
].join("|");

const time = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";

interface JsonSchema {
  type?: string;
  format?: string;
  pattern?: string;
  /** The message of an editor, which otherwise shows the regular expression. Validators ignore it. */
  patternErrorMessage?: string;
  enum?: readonly string[];
  examples?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
}

/** The JSON Schema (draft 7, which the YAML support of every editor reads) of a definition file. */
export function definitionJsonSchema(): object {
  return forEditors(z.toJSONSchema(fileSchema, { target: "draft-7" }) as JsonSchema);
}

/** The JSON Schema of a project's file: its settings, with the catalog and the policy. */
export function projectJsonSchema(settings: z.ZodMiniObject): object {
  const sections = { services: z.optional(catalogSchema), policy: z.optional(policySchema) };
  return jsonSchemaOf("Settings of incident for a project (.incident.yaml)", z.extend(settings, sections));
}

/** The JSON Schema (draft 7) of another file that a person writes. */
export function jsonSchemaOf(title: string, schema: z.core.$ZodType): object {
  return { title, ...forEditors(z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as JsonSchema) };
}

/** Accepts variables, checks dates, and describes each pattern in words. */
function forEditors(schema: JsonSchema): JsonSchema {
  const { anyOf, format, items, pattern, properties } = schema;
  const withPattern = (source: string, patternErrorMessage: string): JsonSchema => {
    const { format: _, examples, ...rest } = schema;
    return { ...rest, pattern: `^(?:${source})$|${variable}`, patternErrorMessage };
  };
  if (format === "uuid") {
    // Without an example, which a completion would insert: each definition needs an id of its own.
    return withPattern(guidPattern.source.slice(1, -1), "Write a GUID: 8-4-4-4-12 hexadecimal digits.");
  }
  if (format === "date") return withPattern(date, "Write a date of the calendar, as YYYY-MM-DD.");
  if (pattern === dateTimePattern.source) {
    const message = "Write a date and time with an offset, such as 2026-03-01T09:30:00Z.";
    return { ...withPattern(`(?:${date})T${time}`, message), examples: schema.examples ?? [] };
  }
  if (pattern === visiblePattern().source) {
    return { ...schema, patternErrorMessage: "Write text that customers can read." };
  }
  if (schema.enum !== undefined) {
    const { enum: values, type, ...rest } = schema;
    const patternErrorMessage = `Write one of ${values.join(", ")}.`;
    return { ...rest, anyOf: [{ enum: values }, { type: "string", pattern: variable, patternErrorMessage }] };
  }
  return {
    ...schema,
    ...(anyOf && { anyOf: anyOf.map(forEditors) }),
    ...(items && { items: forEditors(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, forEditors(value)]),
      ),
    }),
  };
}

/** The JSON Schema of a template: its variables, and the definition that uses them. */
export function templateJsonSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Incident template",
    // An editor checks each document of a file on its own.
    anyOf: [z.toJSONSchema(templateVariablesSchema, { target: "draft-7" }), definitionJsonSchema()],
  };
}
