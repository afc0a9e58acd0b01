// Rules as plain data: the part of JSON Schema that states rules about a value, with a few keywords of its own for
// messages. They come from a schema in this repository or from a service's document.

import type { DiagnosticCode } from "../diagnostic.ts";

export const jsonTypes = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** JSON Schema has no name for some of the formats: see formats.ts. */
export type RuleFormat =
  | "uuid"
  | "date"
  | "date-time"
  | "x-iso-date-time"
  | "x-visible-text"
  | "x-one-line"
  | "x-values"
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
  /** The names that other tools have for the field, as `plainName` gives them; the likeliest first. */
  readonly "x-aliases"?: readonly string[];
}

export interface RuleSchema extends RuleNotes {
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly JsonScalar[];
  readonly format?: RuleFormat;
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

/** The type of the values that rules accept. */
export type RulesValue<R> = R extends { readonly "x-value"?: infer T } ? T : unknown;

/** The rules that a value can break. */
export type RuleKeyword =
  | "type"
  | "required"
  | "no-other-fields"
  | "enum"
  | "format"
  | "minLength"
  | "maxLength"
  | "minItems"
  | "minimum";

/** The types of a schema; empty for a schema that takes any. */
export function typesOf({ type = [] }: RuleSchema): readonly JsonType[] {
  return typeof type === "string" ? [type] : type;
}
