// OpenAPI documents for tests of the contract: the vendor's kind of fixtures/contracts/, and changes of it.
import { readFileSync } from "node:fs";

export type Json = Record<string, unknown>;

/** The document of the vendor's kind, as published: with raw control characters in its strings. */
export const vendorText = readFileSync(
  new URL("../../fixtures/contracts/vendor.json", import.meta.url),
  "utf8",
);

/** A fresh copy of the vendor's document. */
export function vendorDocument(): Json {
  return JSON.parse(vendorText.replace(/\p{Cc}/gu, " ")) as Json;
}

export function nodeAt(document: Json, path: string): Json {
  return path.split(" ").reduce((node, step) => node[step] as Json, document);
}

/** The vendor's document with other keywords in the schema at a path below its schemas. */
export function vendorWith(path: string, keywords: Json): Json {
  const document = vendorDocument();
  Object.assign(nodeAt(document, `components schemas ${path}`), keywords);
  return document;
}

/** The file of a contract with this schema for the body of a create. */
export function contractWith(body: Json): string {
  return JSON.stringify({
    formatVersion: 1,
    source: { from: "openapi.json" },
    create: { body },
    operations: {},
  });
}

/** A schema for each rule that a definition can break. */
export const everyRule: readonly Json[] = [
  { type: "object", required: ["created_at", "region"] },
  { properties: { name: {}, severity: {}, services: {}, incidentUpdates: {} }, additionalProperties: false },
  { properties: { severity: { type: "integer" } } },
  { properties: { services: { items: { type: "string" } } } },
  { properties: { severity: { enum: ["MINOR"] } } },
  { properties: { severity: { enum: ["Major", "Minor"] } } },
  { properties: { name: { format: "email" } } },
  { properties: { name: { pattern: "^[A-Z]{3}-\\d+" } } },
  { properties: { name: { minLength: 40 } } },
  { properties: { name: { maxLength: 10 } } },
  { properties: { incidentUpdates: { maxItems: 1, minItems: 1 } } },
  { properties: { services: { minItems: 3 } } },
  { properties: { services: { uniqueItems: true } } },
  { properties: { services: { items: { maxProperties: 2 } } } },
  { properties: { duration: { minimum: 10 } } },
  { properties: { duration: { exclusiveMaximum: 5 } } },
  { properties: { duration: { multipleOf: 7 } } },
  { properties: { name: { anyOf: [{ maxLength: 3 }, { pattern: "^X" }] } } },
  { properties: { severity: { not: { enum: ["MAJOR"] } } } },
];
