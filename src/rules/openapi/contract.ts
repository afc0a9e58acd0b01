// The contract of a service: the rules for a create and a read in its own OpenAPI document, as a small normalized
// document. It is kept as a file beside the project's settings, and everyone who can open a pull request can change
// that file: it can state rules, within bounds, and nothing else.

export const contractVersion = 1;

/**
 * The bounds of a contract. They keep a hostile document or file from filling the memory or from taking long: a real
 * contract of these two operations has some hundred schemas.
 */
export const contractBounds = {
  /** Bytes of the file. */
  fileSize: 1024 * 1024,
  /** Bytes of an OpenAPI document, decompressed. */
  documentSize: 64 * 1024 * 1024,
  /** Schemas of one operation, with every reference resolved. */
  schemas: 2_000,
  /** Schemas inside each other. */
  depth: 40,
  /** Values of one enumeration, and names of one list of required fields. */
  values: 1_000,
  /** Characters of a pattern. */
  pattern: 1_000,
} as const;

export const jsonTypes = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The formats that are judged. A document may use others, which are left out. */
export const ruleFormats = ["uuid", "date", "date-time", "email", "uri", "hostname", "ipv4", "ipv6"] as const;
export type RuleFormat = (typeof ruleFormats)[number];

export type JsonScalar = string | number | boolean | null;

/**
 * A schema of the document, normalized to the part of JSON Schema that states rules: references are resolved, and the
 * vendor's and the version's own ways to write a rule are rewritten to the standard keyword.
 */
export interface RuleSchema {
  /** Where the schema stands in the document, as a JSON pointer, if a reference leads there. */
  readonly "x-at"?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly JsonScalar[];
  readonly format?: RuleFormat;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: RuleSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly required?: readonly string[];
  /** False where no other fields are accepted. */
  readonly additionalProperties?: false | RuleSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly RuleSchema[];
  readonly anyOf?: readonly RuleSchema[];
  readonly oneOf?: readonly RuleSchema[];
  readonly not?: RuleSchema;
}

/** The keywords with a number, and the smallest one that each accepts. */
export const numberKeywords = {
  minLength: 0,
  maxLength: 0,
  minItems: 0,
  maxItems: 0,
  minProperties: 0,
  maxProperties: 0,
  minimum: Number.NEGATIVE_INFINITY,
  maximum: Number.NEGATIVE_INFINITY,
  exclusiveMinimum: Number.NEGATIVE_INFINITY,
  exclusiveMaximum: Number.NEGATIVE_INFINITY,
  multipleOf: Number.MIN_VALUE,
} as const satisfies Partial<Record<keyof RuleSchema, number>>;

/** A header or a query parameter of an operation. */
export interface ContractParameter {
  readonly in: "header" | "query";
  /** As the document has it; names of headers differ in letter case. */
  readonly name: string;
  readonly required: boolean;
  readonly schema: RuleSchema;
}

export interface ContractOperation {
  /** The path below the base URL. */
  readonly path: string;
  /** Where the operation stands in the document, as a JSON pointer. */
  readonly at: string;
  readonly parameters: readonly ContractParameter[];
  /** The ways to authenticate: `bearer`, `basic`, `header NAME`, `query NAME`, …; empty if the document names none. */
  readonly security: readonly string[];
  /** The media types of the request's body. */
  readonly mediaTypes: readonly string[];
  readonly body?: RuleSchema;
  /** The schemas of the answers, by status. A status without a schema has an empty one. */
  readonly answers: Readonly<Record<string, RuleSchema>>;
}

export interface ContractSource {
  /** A URL without credentials and query, or the name of a file. */
  readonly from: string;
  readonly title: string;
  /** `sha256:…` of the document's bytes. */
  readonly digest: string;
  /** The day on which the document was read. */
  readonly date: string;
}

export interface Contract {
  readonly formatVersion: typeof contractVersion;
  readonly source: ContractSource;
  readonly create: ContractOperation;
  readonly get: ContractOperation;
}

/** A document or a file that is no usable contract. `message` completes "the document …" or "the file …". */
export class ContractError extends Error {
  override readonly name = "ContractError";
}
