// The part of JSON Schema that the rules of a service's document use.

export type JsonScalar = string | number | boolean | null;
type JsonType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

export interface JsonSchema {
  readonly description?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly JsonScalar[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** False where no other fields are accepted. */
  readonly additionalProperties?: false | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
}
