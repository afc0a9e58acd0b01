// Turns a zod schema into rules. zod is the language in which rules are written; the build writes the rules as data in
// the place of the modules that hold the schemas, so that no command loads zod.
import * as z from "zod/mini";
import { formats } from "./formats.ts";
import type { RuleFormat, RuleNotes, RuleSchema, Rules } from "./rule-schema.ts";

export function noted<T extends z.core.$ZodType>(schema: T, notes: RuleNotes): T {
  z.globalRegistry.add(schema, notes as z.core.GlobalMeta);
  return schema;
}

export function text(format: RuleFormat, notes: RuleNotes = {}): z.ZodMiniString {
  const schema = z.string().check(z.refine(formats[format].check));
  return noted(schema, { ...notes, format } as RuleNotes);
}

export function rulesFrom<T>(schema: z.ZodMiniType<T>): Rules<T> {
  return normalize(z.toJSONSchema(schema) as JsonSchema);
}

interface JsonSchema extends Omit<RuleSchema, "additionalProperties"> {
  readonly $schema?: string;
  readonly propertyNames?: unknown;
  readonly additionalProperties?: false | JsonSchema;
}

/** Leaves out what states no rule here: an integer is safe anyway, and an empty schema accepts everything. */
function normalize(schema: JsonSchema): RuleSchema {
  const { $schema: _, propertyNames: __, additionalProperties: others, maximum, minimum, ...rest } = schema;
  const isSafe = (bound: number | undefined) => bound === undefined || Number.isSafeInteger(bound);
  const nullable = rest.anyOf?.length === 2 && rest.anyOf[1]?.type === "null" ? rest.anyOf[0] : undefined;
  if (nullable !== undefined) {
    const { anyOf: ___, ...notes } = rest;
    const { type, ...inner } = normalize(nullable as JsonSchema);
    return { ...inner, ...notes, ...(typeof type === "string" && { type: [type, "null"] }) };
  }
  return {
    ...rest,
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && isSafe(minimum) && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(rest.items && { items: normalize(rest.items as JsonSchema) }),
    ...(rest.anyOf && { anyOf: rest.anyOf.map((part) => normalize(part as JsonSchema)) }),
    ...(rest.properties && {
      properties: Object.fromEntries(
        Object.entries(rest.properties).map(([name, field]) => [name, normalize(field as JsonSchema)]),
      ),
    }),
    ...(others === false && { additionalProperties: false }),
    ...(others && Object.keys(others).length > 0 && { additionalProperties: normalize(others) }),
  };
}
