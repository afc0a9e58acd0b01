// Validates a JSON value against the part of JSON Schema that the sandbox's OpenAPI document uses. It shares no code
// with the client's rules, so that a mistake in them cannot hide here.

type JsonType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly string[];
  readonly const?: string | number;
  readonly format?: keyof typeof formats;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly default?: string | boolean;
}

export type Schemas = Readonly<Record<string, Schema>>;

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const dateTime =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  // `Date` accepts 30 February and returns a day in March.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

const formats = {
  uuid: { holds: (text: string) => guid.test(text), name: "a GUID" },
  date: { holds: isDate, name: "a date (YYYY-MM-DD)" },
  "date-time": {
    holds: (text: string) => isDate(dateTime.exec(text)?.[1] ?? ""),
    name: "an ISO 8601 date-time with seconds and an offset",
  },
} as const;

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : (typeof value as JsonType);
}

/**
 * Returns one phrase for each violation, such as `services[0].id must be a GUID`. `schemas` resolves references by
 * their last segment.
 */
export function checkSchema(schema: Schema, value: unknown, schemas: Schemas, at = "body"): string[] {
  if (schema.$ref !== undefined) {
    const target = new Map(Object.entries(schemas)).get(schema.$ref.replace(/.*\//, ""));
    if (target === undefined) throw new Error(`The document has no ${schema.$ref}.`);
    return checkSchema(target, value, schemas, at);
  }
  const must = (rule: string) => [`${at} must ${rule}`];
  const allowed = [schema.type ?? []].flat();
  const type = typeOf(value);
  if (allowed.length > 0 && !allowed.includes(type) && !(type === "integer" && allowed.includes("number")))
    return must(`be of type ${allowed.join(" or ")}`);
  if (schema.const !== undefined && value !== schema.const) return must(`be ${schema.const}`);
  if (schema.enum && !schema.enum.some((one) => one === value))
    return must(`be one of ${schema.enum.join(", ")}`);
  if (typeof value === "string") {
    // JSON Schema counts Unicode code points, not UTF-16 code units.
    if (schema.maxLength !== undefined && [...value].length > schema.maxLength)
      return must(`have at most ${schema.maxLength} characters`);
    const format = schema.format && formats[schema.format];
    return format && !format.holds(value) ? must(`be ${format.name}`) : [];
  }
  if (Array.isArray(value)) {
    const { items, minItems = 0 } = schema;
    if (value.length < minItems) return must(`have at least ${minItems} entries`);
    return items ? value.flatMap((item, index) => checkSchema(items, item, schemas, `${at}[${index}]`)) : [];
  }
  return type === "object" ? checkObject(schema, value as object, schemas, at) : [];
}

function checkObject(schema: Schema, value: object, schemas: Schemas, at: string): string[] {
  const pathOf = (key: string) => (at === "body" ? key : `${at}.${key}`);
  const known = new Map(Object.entries(schema.properties ?? {}));
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  const problems = Object.entries(value).flatMap(([key, item]) => {
    const property = known.get(key);
    if (property) return checkSchema(property, item, schemas, pathOf(key));
    return schema.additionalProperties === false ? [`${pathOf(key)} is not a known field`] : [];
  });
  return [...missing.map((key) => `${pathOf(key)} is required`), ...problems];
}
