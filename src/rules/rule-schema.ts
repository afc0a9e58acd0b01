// The language of rules: the part of JSON Schema that states rules about a value, with a few keywords of its own for
// messages. Rules are plain data, so that they come from a schema in this repository or from a service's document.

import type { DiagnosticCode } from "../diagnostic.ts";

export const jsonTypes = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** The formats of JSON Schema that are judged. A document may use others, which are left out. */
export const documentFormats = [
  "uuid",
  "date",
  "date-time",
  "email",
  "uri",
  "hostname",
  "ipv4",
  "ipv6",
] as const;

/** JSON Schema has no name for some of the formats: see formats.ts. */
export type RuleFormat =
  | (typeof documentFormats)[number]
  | "x-iso-date-time"
  | "x-visible-text"
  | "x-one-line"
  | "x-uuid-or-none";

export type JsonScalar = string | number | boolean | null;

/** For messages and for editors. They state no rule. */
export interface RuleNotes {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The diagnostic code of a value that breaks the schema's own rule, in the place of the code of the keyword. */
  readonly "x-code"?: DiagnosticCode;
  /** The noun for a value of the schema, such as `severity`. */
  readonly "x-noun"?: string;
  /** A remark that ends the correction. */
  readonly "x-note"?: string;
  /** The names that other tools have for the field, in lower case. */
  readonly "x-aliases"?: readonly string[];
}

export interface RuleSchema extends RuleNotes {
  /** Where the schema stands in its document, as a JSON pointer, if a reference leads there. */
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

/** Rules whose valid values have the type `T`. */
export interface Rules<T> extends RuleSchema {
  /** Never set: it only carries the type. */
  readonly "x-value"?: T;
}

/** The keywords that state a rule by themselves. */
export type RuleKeyword =
  | Exclude<
      keyof RuleSchema,
      keyof RuleNotes | "x-at" | "items" | "properties" | "allOf" | "additionalProperties"
    >
  | "no-other-fields";

/** The types of a schema; empty for a schema that takes any. */
export function typesOf({ type = [] }: RuleSchema): readonly JsonType[] {
  return typeof type === "string" ? [type] : type;
}

/** The keywords with a limit: the smallest limit of each, how a value relates to it, and the unit that it counts. */
export const limitKeywords = {
  minLength: { smallest: 0, relation: "at least", unit: "character" },
  maxLength: { smallest: 0, relation: "at most", unit: "character" },
  minItems: { smallest: 0, relation: "at least", unit: "entry" },
  maxItems: { smallest: 0, relation: "at most", unit: "entry" },
  minProperties: { smallest: 0, relation: "at least", unit: "field" },
  maxProperties: { smallest: 0, relation: "at most", unit: "field" },
  minimum: { smallest: Number.NEGATIVE_INFINITY, relation: "at least" },
  maximum: { smallest: Number.NEGATIVE_INFINITY, relation: "at most" },
  exclusiveMinimum: { smallest: Number.NEGATIVE_INFINITY, relation: "more than" },
  exclusiveMaximum: { smallest: Number.NEGATIVE_INFINITY, relation: "less than" },
  multipleOf: { smallest: Number.MIN_VALUE, relation: "a multiple of" },
} as const satisfies Partial<Record<keyof RuleSchema, { smallest: number; relation: string; unit?: string }>>;

export type LimitKeyword = keyof typeof limitKeywords;
