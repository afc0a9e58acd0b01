// The zod schema of rules: each is built once, when a value is first checked, and knows the rules that it states.
import * as z from "zod/mini";
import { formats } from "./formats.ts";
import { type RuleFormat, type RuleSchema, type Rules, typesOf } from "./rule-schema.ts";

// Most runs check a few values: the code that zod writes for a schema takes longer than it saves.
z.config({ jitless: true });

const schemas = new WeakMap<RuleSchema, z.ZodMiniType>();
const stated = new WeakMap<z.core.$ZodType, RuleSchema>();

export function schemaOf<T>(rules: Rules<T>): z.ZodMiniType<T>;
export function schemaOf(rules: RuleSchema): z.ZodMiniType {
  const known = schemas.get(rules);
  if (known !== undefined) return known;
  const own = kindOf(rules, checksOf(rules));
  stated.set(own, rules);
  const schema = typesOf(rules).includes("null") ? z.nullable(own) : own;
  schemas.set(rules, schema);
  return schema;
}

/** The rules that a schema states, of which `schemaOf` has built a part. */
export function rulesOfSchema(schema: z.core.$ZodType | undefined): RuleSchema {
  return (schema && stated.get(schema)) ?? {};
}

function kindOf(rules: RuleSchema, checks: z.core.$ZodCheck<unknown>[]): z.ZodMiniType {
  const { additionalProperties: others, enum: values, items, properties, required = [] } = rules;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, own]) => {
      const field = schemaOf(own);
      return [name, required.includes(name) ? field : z.optional(field)];
    });
    return z.strictObject(Object.fromEntries(fields));
  }
  if (others) return z.record(z.string(), schemaOf(others));
  if (values !== undefined) return z.enum(values.map(String));
  const [type, another] = typesOf(rules).filter((each) => each !== "null");
  if (another !== undefined) return z.unknown().check(...checks);
  if (items !== undefined) return z.array(schemaOf(items)).check(...checks);
  if (type === "integer") return z.int().check(...checks);
  if (type === "boolean") return z.boolean();
  // zod builds a schema again to add a check, and most are texts.
  return type === "string" ? z.string({ checks }) : z.unknown();
}

function checksOf({
  format,
  maxLength,
  minItems,
  minLength,
  minimum,
}: RuleSchema): z.core.$ZodCheck<unknown>[] {
  const checks: (z.core.$ZodCheck<never> | false)[] = [
    format !== undefined && formatCheck(format),
    minLength !== undefined && ofLength(z.minLength(minLength)),
    maxLength !== undefined && ofLength(z.maxLength(maxLength)),
    minItems !== undefined && ofLength(z.minLength(minItems)),
    minimum !== undefined && z.minimum(minimum),
  ];
  return checks.filter((check) => check !== false) as z.core.$ZodCheck<unknown>[];
}

function formatCheck(format: RuleFormat): z.core.$ZodCheck<never> {
  return z.check<never>(({ issues, value }) => {
    if (!formats[format].check(value)) issues.push({ code: "custom", input: value });
  });
}

/** A check of a length. zod asks for that of every value with a field `length`, and fails where it is a mapping. */
function ofLength<T extends z.core.$ZodCheck>(check: T): T {
  check._zod.def.when = ({ value }) => typeof value === "string" || Array.isArray(value);
  return check;
}
