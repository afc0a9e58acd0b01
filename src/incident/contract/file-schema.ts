// The schema of a contract for definition files, for editors: without the fields that the tool fills in, and with the
// names of services and the variables that only a file has.
import type { RuleSchema } from "../../rules/rule-schema.ts";

import { filledIn } from "./sent-fields.ts";

/** A variable stands for its value only when incident reads the file. */
const variable = { type: "string", pattern: "\\$\\{" };

export function fileSchema(schema: RuleSchema, field = ""): object {
  const own = ownSchema(schema, field);
  const isText = [schema.type ?? []].flat().includes("string") || schema.pattern !== undefined;
  const isBound = Object.keys(own).some((keyword) => keyword !== "type");
  if (field === "services[]") return { anyOf: [{ type: "string" }, own] };
  return isText && isBound ? { anyOf: [own, variable] } : own;
}

function ownSchema(schema: RuleSchema, field: string): object {
  const { "x-at": _, items, properties, required = [], additionalProperties, not, ...rest } = schema;
  const needed = required.filter((name) => !filledIn.includes(below(field, name)));
  const parts = (list: readonly RuleSchema[]) => list.map((part) => fileSchema(part, field));
  return {
    ...rest,
    ...(needed.length > 0 && { required: needed }),
    ...(items && { items: fileSchema(items, `${field}[]`) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, fileSchema(value, below(field, name))]),
      ),
    }),
    // An editor already names each field that is not known.
    ...(typeof additionalProperties === "object" && {
      additionalProperties: fileSchema(additionalProperties),
    }),
    ...(schema.allOf && { allOf: parts(schema.allOf) }),
    ...(schema.anyOf && { anyOf: parts(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: parts(schema.oneOf) }),
    ...(not && { not: fileSchema(not, field) }),
  };
}

function below(field: string, name: string): string {
  return field === "" ? name : `${field}.${name}`;
}
