// Turns a zod schema into rules. zod is the language in which rules are written; the build writes the rules as data in
// the place of the modules that hold the schemas, so that no command loads zod.
import * as z from "zod/mini";
import { formats } from "./formats.ts";
import type { RuleFormat, RuleNotes, Rules } from "./rule-schema.ts";

export function noted<T extends z.core.$ZodType>(schema: T, notes: RuleNotes): T {
  z.globalRegistry.add(schema, notes as z.core.GlobalMeta);
  return schema;
}

export function text(format: RuleFormat, notes: RuleNotes = {}): z.ZodMiniString {
  const schema = z.string().check(z.refine(formats[format].check));
  return noted(schema, { ...notes, format } as RuleNotes);
}

/** The schema as JSON Schema, without the keywords that state no rule here, such as the bounds of safe integers. */
export function rulesFrom<T>(schema: z.ZodMiniType<T>): Rules<T> {
  const { $schema: _, ...rules } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return rules as Rules<T>;
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
