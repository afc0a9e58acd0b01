// Additions to the schemas of zod: notes for messages and editors, the formats of texts, and the facts of a schema as
// JSON Schema, with which messages are written.
import * as z from "zod/mini";
import { formats } from "./formats.ts";
import type { RuleFormat, RuleNotes, RuleSchema, Rules } from "./rule-schema.ts";

export type Schema<T = unknown> = z.ZodMiniType<T>;

export function noted<T extends z.core.$ZodType>(schema: T, notes: RuleNotes): T {
  z.globalRegistry.add(schema, notes as z.core.GlobalMeta);
  return schema;
}

export function text(format: RuleFormat, notes: RuleNotes = {}): z.ZodMiniString {
  const schema = z.string().check(z.refine(formats[format].check));
  return noted(schema, { ...notes, format } as RuleNotes);
}

/** A check of a length. zod asks for that of every value with a field `length`, and fails where it is a mapping. */
function ofLength<T extends z.core.$ZodCheck>(check: T): T {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}

export const atLeast = (least: number) => ofLength(z.minLength(least));

/** The schema of a table of fields, or of one field. */
export function schemaOf<T>(rules: Rules<T>): Schema<T>;
export function schemaOf(rules: RuleSchema): Schema {
  const { type, enum: values, format, items, maxLength, minItems = 0, required = [], ...others } = rules;
  const { additionalProperties: _, properties, ...notes } = others;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, own]) => {
      const field = schemaOf(own);
      return [name, required.includes(name) ? field : z.optional(field)];
    });
    return noted(z.strictObject(Object.fromEntries(fields)), notes);
  }
  if (items !== undefined) return noted(z.array(schemaOf(items)).check(atLeast(minItems)), notes);
  if (values !== undefined) return noted(z.enum(values.map(String)), notes);
  if (type === "integer") return noted(z.int(), notes);
  if (type === "boolean") return noted(z.boolean(), notes);
  const own = text(format ?? "x-visible-text", notes);
  const limited = maxLength === undefined ? own : own.check(ofLength(z.maxLength(maxLength)));
  return type === "string" ? limited : z.nullable(limited);
}

/** The schema as JSON Schema, without the keywords that state no rule here, such as the bounds of safe integers. */
export function factsOf(schema: Schema): RuleSchema {
  const { $schema: _, ...facts } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return facts as RuleSchema;
}

function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  const { additionalProperties: others, anyOf: [inner, empty] = [] } = schema;
  if (typeof others === "object" && Object.keys(others).length === 0) delete schema.additionalProperties;
  if (empty?.type !== "null" || schema.anyOf?.length !== 2) return;
  delete schema.anyOf;
  Object.assign(schema, { ...inner, ...schema, type: [inner?.type, "null"] });
}
