// The contract of a document: each version and each vendor's way to write a rule gives the same rule, and its file holds
// rules and nothing else.
import { afterAll, describe, expect, it } from "vitest";
import { parseDocument } from "../../src/api/fetch-document.ts";
import { type Contract, parseContract, renderContract } from "../../src/document/contract.ts";
import { contractOf, linesOf } from "../../src/document/contract-of.ts";
import { renderYaml } from "../../src/source/yaml/write.ts";
import { type Json, nodeAt, vendorDocument, vendorText, vendorWith } from "../harness/contracts.ts";
import { countSteps, stopCounting } from "../harness/steps.ts";

afterAll(stopCounting);

function fileOf(document: unknown): Contract {
  const { create, operations } = contractOf(document);
  const source = { from: "openapi.json" };
  return { formatVersion: 1, source, create, operations };
}

function rulesOf(document: unknown): string[] {
  return [...linesOf(contractOf(document).create.body)];
}

const vendorRules = rulesOf(vendorDocument());
const [name, duration] = ["IncidentCreate properties name", "IncidentCreate properties duration"];

/** The same operations as a Swagger 2.0 document. */
function asSwagger(): Json {
  const document = JSON.parse(
    JSON.stringify(vendorDocument()).replaceAll("#/components/schemas/", "#/definitions/"),
  ) as Json;
  const post = nodeAt(document, "paths /v1/status-pages/incidents post");
  post.parameters = [
    { in: "header", name: "x-service-account", type: "string" },
    { in: "body", name: "body", schema: { $ref: "#/definitions/IncidentCreate" } },
  ];
  delete post.requestBody;
  const { paths } = document as { paths: Json };
  const item = (path: string) => paths[`/v1/status-pages/incidents${path}`];
  return {
    swagger: "2.0",
    basePath: "/v1",
    paths: { "/status-pages/incidents": item(""), "/status-pages/incidents/{id}": item("/{incidentId}") },
    definitions: nodeAt(document, "components schemas"),
    securityDefinitions: { jwt: { type: "apiKey", in: "header", name: "Authorization" } },
    security: [{ jwt: [] }],
  };
}

describe("a document", () => {
  it.each<[string, () => unknown]>([
    ["OpenAPI 3.0 with raw control characters", () => parseDocument(Buffer.from(vendorText))],
    ["OpenAPI 3.1", () => ({ ...vendorDocument(), openapi: "3.1.0" })],
    ["Swagger 2.0 with a base path", asSwagger],
    ["YAML", () => parseDocument(Buffer.from(renderYaml(vendorDocument())))],
    [
      "a server with a base path",
      () => ({ ...vendorDocument(), servers: [{ url: "https://api.example.com/monitoring" }] }),
    ],
  ])("in %s has the same rules", async (_, document) => {
    expect(rulesOf((await document()) as Json)).toEqual(vendorRules);
  });

  it("has each of its rules", () => {
    expect(vendorRules).toEqual(
      expect.arrayContaining([
        "properties.services.items.required: accountId",
        "properties.incidentUpdates.maxItems: 1",
        "properties.duration.exclusiveMinimum: 0",
      ]),
    );
  });

  it.each<[string, string, Json, string[]]>([
    ["maxLength", name, { maxLength: 100 }, ["properties.name.maxLength: 100"]],
    [
      "x-constraint greater and less",
      duration,
      { "x-constraint": { greater: 1, less: 9 } },
      ["properties.duration.exclusiveMinimum: 1", "properties.duration.exclusiveMaximum: 9"],
    ],
    [
      "x-constraint length",
      name,
      { "x-constraint": { length: 9 } },
      ["properties.name.maxLength: 9", "properties.name.minLength: 9"],
    ],
    ["x-format email", name, { "x-format": { email: true } }, ["properties.name.format: email"]],
    ["a value more", "Severity", { enum: ["MINOR", "SEV1"] }, ["properties.severity.enum: SEV1"]],
    ["two services", "Services", { minItems: 2 }, ["properties.services.minItems: 2"]],
    ["one service", "Services", { maxItems: 1 }, ["properties.services.maxItems: 1"]],
    ["unique", "Services", { "x-constraint": { unique: true } }, ["properties.services.uniqueItems: true"]],
    [
      "a status that is required",
      "IncidentUpdateCreate",
      { required: ["description", "status"] },
      ["properties.incidentUpdates.items.required: status"],
    ],
    ["no other fields", "IncidentCreate", { additionalProperties: false }, ["additionalProperties: false"]],
    [
      "no id",
      "IncidentCreate",
      {
        additionalProperties: false,
        properties: { name: {}, severity: {}, services: {}, incidentUpdates: {} },
      },
      [
        "properties.name: {}",
        "properties.severity: {}",
        "properties.services: {}",
        "properties.incidentUpdates: {}",
        "additionalProperties: false",
      ],
    ],
    ["a nullable field", name, { nullable: true }, ["properties.name.type: null"]],
    [
      "a nullable field of parts, with its values",
      name,
      { nullable: true, enum: ["A"], allOf: [{}] },
      [
        "properties.name.anyOf.0.type: string",
        "properties.name.anyOf.0.enum: A",
        "properties.name.anyOf.0.maxLength: 255",
        "properties.name.anyOf.0.allOf.0: {}",
        "properties.name.anyOf.1.type: null",
      ],
    ],
    [
      "draft 4's exclusive bound",
      duration,
      { "x-constraint": {}, minimum: 5, exclusiveMinimum: true },
      ["properties.duration.exclusiveMinimum: 5"],
    ],
    [
      "allOf",
      name,
      { allOf: [{ maxLength: 20 }, { minLength: 5 }] },
      ["properties.name.allOf.0.maxLength: 20", "properties.name.allOf.1.minLength: 5"],
    ],
    [
      "oneOf",
      name,
      { oneOf: [{ maxLength: 20 }, { minLength: 50 }] },
      ["properties.name.oneOf.0.maxLength: 20", "properties.name.oneOf.1.minLength: 50"],
    ],
    [
      "a field that is read only",
      "IncidentCreate",
      { required: ["created_at"], properties: { created_at: { readOnly: true } } },
      ["properties.created_at: {}"],
    ],
  ])("with %s has the rule", (_, path, keywords, rules) => {
    const found = rulesOf(vendorWith(path, keywords));
    expect(found.filter((rule) => !vendorRules.includes(rule))).toEqual(rules);
  });

  it.each<[string, string, Json, string, string]>([
    ["a length", "Severity", { maxLength: 1 }, "maxLength 1 of severity", "properties.severity.maxLength: 1"],
    ["others", "Severity", { enum: ["sev1"] }, "enum sev1 of severity", "properties.severity.enum: sev1"],
    [
      "a length beside other values of its own",
      "Service",
      { properties: { name: { enum: ["Checkout"], minLength: 20 } } },
      "minLength 20 of name (services.name)",
      "properties.services.items.properties.name.minLength: 20",
    ],
    [
      "another type",
      "Severity",
      { type: "integer", enum: undefined },
      "type integer of severity",
      "properties.severity.type: integer",
    ],
    [
      "services as strings",
      "Service",
      { type: "string", properties: undefined },
      "type string of entry 1 of services",
      "properties.services.items.type: string",
    ],
    ["a field that is not sent", "IncidentCreate", { required: ["region"] }, "region", "required: region"],
    [
      "an update without a field that is always sent",
      "IncidentUpdateCreate",
      { additionalProperties: false, properties: { description: {}, id: {}, status: {} } },
      "that notifySubscribers is left out of entry 1 of incidentUpdates",
      "properties.incidentUpdates.items.additionalProperties: false",
    ],
  ])("with %s leaves the rule out, and tells it", (_, path, keywords, rule, line) => {
    const { create, leftOut } = contractOf(vendorWith(path, keywords));
    expect(leftOut).toEqual([`the service requires ${rule}`]);
    expect(linesOf(create.body)).not.toContain(line);
  });

  it("ends a schema that is inside itself", () => {
    const { create } = contractOf(vendorDocument());
    expect(JSON.stringify(create.body)).toContain('"related":{"type":"array","items":{}}');
  });

  it.each([
    [1000, 1000],
    [1001, undefined],
  ])("has an enumeration of %i values as a rule of %s", (length, ruled) => {
    const { create } = contractOf(vendorWith(name, { enum: Array.from({ length }, (_, at) => `S${at}`) }));
    expect(create.body.properties?.name?.enum?.length).toBe(ruled);
  });

  it("with more schemas than the bound is refused, however they are combined", () => {
    const schemas = nodeAt(vendorDocument(), "components schemas");
    // Each refers twice to the next: 2^20 schemas of 20.
    for (let level = 0; level < 20; level += 1) {
      const next = { $ref: `#/components/schemas/L${level + 1}` };
      schemas[`L${level}`] = { allOf: [next, { properties: { x: next } }] };
    }
    const document = vendorWith(name, { allOf: [{ $ref: "#/components/schemas/L0" }] });
    Object.assign(nodeAt(document, "components schemas"), schemas, {
      IncidentCreate: nodeAt(document, "components schemas IncidentCreate"),
    });
    expect(() => contractOf(document)).toThrow("has more than 2000 schemas for one operation");
  });
});

describe("the file of a contract", () => {
  it("is read as it was written, and rendered with the same bytes", () => {
    const text = renderContract(fileOf(vendorDocument()));
    expect(renderContract(parseContract(text))).toBe(text);
  });

  it.each<[string, Json, string]>([
    ["an unknown keyword", { if: {} }, "a rule in create.body that cannot be checked"],
    ["a reference", { $ref: "#/x" }, "a rule in create.body that cannot be checked"],
    ["a pattern", { pattern: "^[A-Z]" }, "a rule in create.body that cannot be checked"],
    ["a type that is none", { type: "date" }, "a rule in create.body that cannot be checked"],
    ["a value that is no number", { minItems: "1" }, "a rule in create.body that cannot be checked"],
    ["too many schemas", { allOf: Array.from({ length: 2001 }, () => ({})) }, "has more than 2000 schemas"],
  ])("with %s is refused", (_, body, problem) => {
    const contract = fileOf(vendorDocument());
    const text = JSON.stringify({ ...contract, create: { ...contract.create, body } });
    expect(() => parseContract(text)).toThrow(problem);
  });

  it.each<[string, Json]>([
    ["source", { source: [] }],
    ["source.from", { source: { from: 5 } }],
    ["create.body", { create: { body: [] } }],
  ])("without a valid %s is refused", (path, fields) => {
    const text = JSON.stringify({ ...fileOf(vendorDocument()), ...fields });
    expect(() => parseContract(text)).toThrow(`has no valid value in ${path}`);
  });

  it.each([2_000, 50_000])("with rules that are nested %i times is refused", (depth) => {
    const contract = JSON.stringify({ ...fileOf(vendorDocument()), create: { body: {} } });
    const rules = `${'{"items":'.repeat(depth)}{}${"}".repeat(depth)}`;
    const text = contract.replace('"body":{}', `"body":${rules}`);
    expect(() => parseContract(text)).toThrow("a rule in create.body that cannot be checked");
  });
});

describe("the other paths of a document", () => {
  const withPaths = (count: number) => {
    const document = vendorDocument();
    const other = { get: { responses: {} }, post: { responses: {} } };
    for (let number = 0; number < count; number += 1)
      nodeAt(document, "paths")[`/v1/other/${number}/{id}`] = other;
    return document;
  };
  const stepsOf = (document: Json) => countSteps(() => contractOf(document));

  it("cost a few steps each", async () => {
    const steps = (await stepsOf(withPaths(20_000))) - (await stepsOf(vendorDocument()));
    expect(steps / 20_000).toBeLessThan(50);
  });

  it("can have servers of their own, also behind a reference", () => {
    const document = vendorDocument();
    const paths = nodeAt(document, "paths");
    const { post, ...others } = paths["/v1/status-pages/incidents"] as Json;
    paths["/v1/status-pages/incidents"] = others;
    paths["/incidents"] = { $ref: "#/x-items/create" };
    document["x-items"] = { create: { post, servers: [{ url: "https://api.example.com/v1/status-pages" }] } };
    expect(rulesOf(document)).toEqual(vendorRules);
  });
});
