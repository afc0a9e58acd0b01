// Validates a JSON value against the part of JSON Schema that the sandbox's OpenAPI document uses. It shares no code
// with the client's check of a definition, so that a mistake there cannot hide here.
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";

export type { Schema } from "@cfworker/json-schema";

/** Returns one phrase for each violation. `schemas` are those that a reference names. */
export function checkSchema(
  schema: Schema,
  value: unknown,
  schemas: Readonly<Record<string, Schema>>,
): string[] {
  const validator = new Validator({ ...schema, components: { schemas } }, "2020-12", false);
  return validator.validate(value).errors.flatMap(phrasesOf);
}

/** The keywords whose errors only say that a part is wrong, which has an error of its own. */
const wholes = ["$ref", "additionalProperties", "items", "properties"];

function phrasesOf({ error, instanceLocation, keyword }: OutputUnit): string[] {
  if (wholes.includes(keyword)) return [];
  const path = (place: string) =>
    place
      .replace(/^#\/?/, "")
      .replace(/\/(\d+)/g, "[$1]")
      .replaceAll("/", ".");
  const [, missing] = keyword === "required" ? (/"(.*)"/.exec(error) ?? []) : [];
  if (missing !== undefined) return [`${path(`${instanceLocation}/${missing}`)} is required`];
  const at = path(instanceLocation) || "body";
  return [keyword === "false" ? `${at} is not a known field` : `${at} is wrong: ${error}`];
}
