// `incident schema`: the JSON Schema of a definition, from the schema that checks it, in draft 7, which the YAML support
// of every editor reads. A file may also have the name of a service of the catalog, and ${variables}.
import * as z from "zod/mini";
import { definitionSchema } from "../incident/schemas.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { drawData } from "../kit/report.ts";
import { guidPattern, timePattern, visiblePattern } from "../rules/forms.ts";
import { type FormName, type Schema, schemaOf } from "../rules/kinds.ts";

export const spec = {
  result: "schema",
  examples: {
    "incident schema > incident.schema.json": "the file that the first line of incident new names",
  },
  notes:
    `The schema checks everything but the names of the catalog and the values of \${variables}, which incident\n` +
    "replaces when it reads the file. The rules of incident.contract.json are checked by incident validate.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async () => ({ prints: { json: drawData(definitionJsonSchema()) } });

const variable = "\\$\\{";

const date = "\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])";
const time = timePattern.source.slice(1, -1);

const whole = (source: string) => `^(?:${source})$|${variable}`;
const guid = guidPattern.source.slice(1, -1);
const visible = visiblePattern().source;

/** The pattern of a text in each form, and the message of an editor. */
const patterns: Partial<Record<FormName, readonly [pattern: string, message: string]>> = {
  guid: [whole(guid), "Write a GUID: 8-4-4-4-12 hexadecimal digits."],
  date: [whole(date), "Write a date, as YYYY-MM-DD."],
  dateTime: [whole(`${date}T${time}`), "Write a date and time with an offset, such as 2026-03-01T09:30:00Z."],
  visible: [visible, "Write text that customers can read."],
  line: [`^(?=[^]*${visible})\\s*[^\\p{Cc}]*\\s*$`, "Write text that customers can read, on one line."],
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

function definitionJsonSchema(): object {
  const json: JsonSchema = z.toJSONSchema(definitionSchema(), {
    target: "draft-07",
    io: "input",
    override: ({ jsonSchema, zodSchema }) => addNotes(jsonSchema, schemaOf(zodSchema)),
  });
  const services = json.properties?.services as JsonSchema;
  const name = {
    type: "string",
    pattern: visible,
    description: "The name of a service in the catalog, services: in .incident.yaml.",
  };
  services.items = { anyOf: [name as JsonSchema, services.items as JsonSchema] };
  const description = "An incident on a status page, as it is declared.";
  return { title: "Incident definition", description, ...json };
}

function addNotes(json: JsonSchema, { description, examples, form }: Schema): void {
  // For a value that may be null, its other form has the notes.
  if (json.anyOf !== undefined || json.type === "null") return;
  // Leaves the example of an id out, because a completion would insert it.
  Object.assign(json, description && { description }, examples && { examples });
  const pattern = form && patterns[form];
  if (pattern !== undefined) [json.pattern, json.patternErrorMessage] = pattern;
  if (json.enum === undefined) return;
  const patternErrorMessage = `Write one of ${json.enum.join(", ")}.`;
  json.anyOf = [{ enum: json.enum }, { type: "string", pattern: variable, patternErrorMessage }];
  delete json.enum;
  delete json.type;
}
