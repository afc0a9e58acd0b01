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
  readonly description?: string;
  /** The spec does not show this part; the text states the assumption of the sandbox. */
  readonly "x-not-shown"?: string;
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

function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function stringProblems(schema: Schema, text: string, at: string): string[] {
  // JSON Schema counts Unicode code points, not UTF-16 code units.
  if (schema.maxLength !== undefined && [...text].length > schema.maxLength) {
    return [`${at} must have at most ${schema.maxLength} characters`];
  }
  if (schema.format && !formats[schema.format].holds(text))
    return [`${at} must be ${formats[schema.format].name}`];
  return [];
}

function arrayProblems(schema: Schema, list: readonly unknown[], at: string, schemas: Schemas): string[] {
  if (list.length < (schema.minItems ?? 0)) return [`${at} must have at least ${schema.minItems} entries`];
  const { items } = schema;
  return items ? list.flatMap((item, index) => checkSchema(items, item, schemas, `${at}[${index}]`)) : [];
}

function objectProblems(schema: Schema, value: object, at: string, schemas: Schemas): string[] {
  const name = (key: string) => (at === "body" ? key : `${at}.${key}`);
  const known = new Map(Object.entries(schema.properties ?? {}));
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  const problems = missing.map((key) => `${name(key)} is required`);
  for (const [key, item] of Object.entries(value)) {
    const property = known.get(key);
    if (property) problems.push(...checkSchema(property, item, schemas, name(key)));
    else if (schema.additionalProperties === false) problems.push(`${name(key)} is not a known field`);
  }
  return problems;
}

/**
 * Returns one phrase for each violation, such as `services[0].id must be a GUID`. `schemas` resolves references by
 * their last segment.
 */
export function checkSchema(schema: Schema, value: unknown, schemas: Schemas, at = "body"): string[] {
  if (schema.$ref !== undefined) {
    const target = ownValue(schemas, schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1));
    if (!target) throw new Error(`The document has no ${schema.$ref}.`);
    return checkSchema(target, value, schemas, at);
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [`${at} must be of type ${types.join(" or ")}`];
  }
  if (schema.const !== undefined && value !== schema.const) return [`${at} must be ${schema.const}`];
  if (schema.enum && !schema.enum.some((allowed) => allowed === value)) {
    return [`${at} must be one of ${schema.enum.join(", ")}`];
  }
  if (typeof value === "string") return stringProblems(schema, value, at);
  if (Array.isArray(value)) return arrayProblems(schema, value, at, schemas);
  if (typeof value === "object" && value !== null) return objectProblems(schema, value, at, schemas);
  return [];
}

/** The object's own value of this name. The sandbox shares no code with the client. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
