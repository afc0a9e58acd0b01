// Real documents: each version and each vendor's way to write a rule gives the same normalized rule.
import { afterAll, describe, expect, it } from "vitest";
import { listContractRules } from "../../../src/incident/contract/contract-rules.ts";
import { parseContract, renderContract } from "../../../src/rules/openapi/contract-file.ts";
import { normalizeDocument } from "../../../src/rules/openapi/normalize-document.ts";
import { describeOmitted } from "../../../src/rules/openapi/normalize-schema.ts";
import { readDocument } from "../../../src/rules/openapi/read-document.ts";
import { parseYaml } from "../../../src/source/yaml/compose-documents.ts";
import { renderYaml } from "../../../src/source/yaml/render-yaml.ts";
import { type Json, nodeAt, vendorDocument, vendorText, vendorWith } from "../../harness/contracts.ts";
import { countSteps, stopCounting } from "../../harness/steps.ts";

afterAll(stopCounting);

const normalize = (document: unknown) => normalizeDocument(document);
const source = { from: "openapi.json", title: "", digest: "sha256:0", date: "2026-11-20" };
const contractOf = ({ create, get }: ReturnType<typeof normalize>) =>
  ({ formatVersion: 1, source, create, get }) as const;

/** The rules beside the built-in ones. */
function added(document: unknown): string[] {
  const rules = listContractRules(contractOf(normalize(document)));
  return rules.filter(({ builtIn }) => !builtIn).map(({ rule }) => rule);
}

const vendorRules = [
  "services[].accountId is required",
  "incidentUpdates: exactly 1 entry",
  "duration: more than 0",
];

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
    ["OpenAPI 3.0 with raw control characters", () => readDocument(Buffer.from(vendorText), () => undefined)],
    ["OpenAPI 3.1", () => ({ ...vendorDocument(), openapi: "3.1.0" })],
    ["Swagger 2.0 with a base path", asSwagger],
    ["YAML", () => readDocument(Buffer.from(renderYaml(vendorDocument())), parseYaml)],
    [
      "a server with a base path",
      () => ({ ...vendorDocument(), servers: [{ url: "https://api.example.com/monitoring" }] }),
    ],
  ])("in %s has the same rules", (_, document) => {
    expect(added(document())).toEqual(vendorRules);
  });

  it.each<[string, string, Json, string[]]>([
    ["maxLength", "IncidentCreate properties name", { maxLength: 100 }, ["name: at most 100 characters"]],
    [
      "x-constraint max",
      "IncidentCreate properties name",
      { "x-constraint": { max: 90 } },
      ["name: at most 90 characters"],
    ],
    [
      "x-constraint length",
      "IncidentCreate properties name",
      { "x-constraint": { length: 9 } },
      ["name: exactly 9 characters"],
    ],
    [
      "x-format email",
      "IncidentCreate properties name",
      { "x-format": { email: true } },
      ["name: an e-mail address"],
    ],
    ["an enumeration without a value", "Severity", { enum: ["MINOR"] }, ["severity: one of MINOR"]],
    ["another type", "Severity", { type: "integer", enum: undefined }, ["severity is a whole number"]],
    ["two services", "Services", { minItems: 2 }, ["services: at least 2 entries"]],
    ["one service", "Services", { maxItems: 1 }, ["services: exactly 1 entry"]],
    [
      "services as strings",
      "Service",
      { type: "string", properties: undefined, required: undefined },
      ["services[] is text"],
    ],
    ["unique services", "Services", { "x-constraint": { unique: true } }, ["services: no entry twice"]],
    [
      "a status that is required",
      "IncidentUpdateCreate",
      { required: ["description", "status"] },
      ["incidentUpdates[].status is required"],
    ],
    ["a new required field", "IncidentCreate", { required: ["region"] }, ["region is required"]],
    ["no other fields", "IncidentCreate", { additionalProperties: false }, []],
    [
      "no id",
      "IncidentCreate",
      {
        additionalProperties: false,
        properties: { name: {}, severity: {}, services: {}, incidentUpdates: {} },
      },
      ["the body has no other fields than incidentUpdates, name, services, severity"],
    ],
    ["a nullable field", "IncidentCreate properties name", { nullable: true }, []],
    [
      "draft 4's exclusive bound",
      "IncidentCreate properties duration",
      { "x-constraint": {}, minimum: 5, exclusiveMinimum: true },
      ["duration: more than 5"],
    ],
    [
      "allOf",
      "IncidentCreate properties name",
      { allOf: [{ maxLength: 20 }, { minLength: 5 }] },
      ["name: at most 20 characters", "name: at least 5 characters"],
    ],
    [
      "oneOf",
      "IncidentCreate properties name",
      { oneOf: [{ maxLength: 20 }, { minLength: 50 }] },
      ["name has one of 2 forms"],
    ],
    [
      "a field that is read only",
      "IncidentCreate",
      { required: ["created_at"], properties: { created_at: { readOnly: true } } },
      [],
    ],
  ])("with %s has the rule", (_, path, keywords, rules) => {
    const removed = vendorRules.filter((rule) => {
      if (path === "IncidentCreate" && "properties" in keywords) return rule.startsWith("services[]");
      if (path.endsWith("duration")) return !rule.startsWith("duration");
      return !(path === "Service" && rule.startsWith("services[]"));
    });
    const found = added(vendorWith(path, keywords)).filter((rule) => !removed.includes(rule));
    expect(found).toEqual(expect.arrayContaining(rules));
    expect(found.filter((rule) => !vendorRules.includes(rule))).toEqual(rules);
  });

  it.each<[string, (document: Json) => void, string]>([
    [
      "a required header",
      (d) => Object.assign(nodeAt(d, "components parameters Account"), { name: "x-tenant", required: true }),
      "a create needs the header x-tenant",
    ],
    [
      "a required query parameter",
      (d) =>
        Object.assign(nodeAt(d, "components parameters Account"), {
          in: "query",
          name: "region",
          required: true,
        }),
      "a create needs the query parameter region",
    ],
    [
      "another way to authenticate",
      (d) => Object.assign(nodeAt(d, "components securitySchemes jwt"), { scheme: "basic" }),
      "a create is authorized with basic",
    ],
    [
      "another version of the path",
      (d) => {
        const paths = nodeAt(d, "paths");
        paths["/v2/status-pages/incidents"] = paths["/v1/status-pages/incidents"];
        delete paths["/v1/status-pages/incidents"];
      },
      "a create is sent to /v2/status-pages/incidents",
    ],
  ])("with %s has a rule of the request", (_, change, rule) => {
    const document = vendorDocument();
    change(document);
    expect(added(document)).toContain(rule);
  });

  it("ends a schema that is inside itself, and names a reference that leads to nothing", () => {
    const document = vendorWith("IncidentCreate properties name", {
      allOf: [{ $ref: "#/components/schemas/Nowhere" }],
    });
    const { omitted, create } = normalize(document);
    expect(omitted.map(describeOmitted)).toEqual([
      "the reference at #/components/schemas/IncidentCreate/properties/name/allOf/0 leads to nothing in the document",
    ]);
    expect(JSON.stringify(create.body)).toContain('"related":{"type":"array","items":{}}');
  });

  it("with more schemas than the bound is refused, however they are combined", () => {
    const schemas = nodeAt(vendorDocument(), "components schemas");
    // Each refers twice to the next: 2^20 schemas of 20.
    for (let level = 0; level < 20; level += 1) {
      const next = { $ref: `#/components/schemas/L${level + 1}` };
      schemas[`L${level}`] = { allOf: [next, { properties: { x: next } }] };
    }
    const document = vendorWith("IncidentCreate properties name", {
      allOf: [{ $ref: "#/components/schemas/L0" }],
    });
    Object.assign(nodeAt(document, "components schemas"), schemas, {
      IncidentCreate: nodeAt(document, "components schemas IncidentCreate"),
    });
    expect(() => normalize(document)).toThrow("has more than 2000 schemas for one operation");
  });
});

describe("the file of a contract", () => {
  it("is read as it was written, and rendered with the same bytes", () => {
    const text = renderContract(contractOf(normalize(vendorDocument())));
    expect(renderContract(parseContract(text))).toBe(text);
  });

  it.each<[string, Json, string]>([
    ["an unknown keyword", { if: {} }, "it is not in the form of a contract"],
    ["a reference", { $ref: "#/x" }, "leads to nothing"],
    ["a pattern", { pattern: "^[A-Z]" }, "is not checked: ^[A-Z]"],
    ["a type that is none", { type: "date" }, "it is not in the form of a contract"],
    ["a negative length", { maxLength: -1 }, "it is not in the form of a contract"],
    ["a value that is no number", { minItems: "1" }, "it is not in the form of a contract"],
    [
      "a list of too many values",
      { enum: Array.from({ length: 1001 }, (_, index) => index) },
      "more than 1000 values",
    ],
    ["too many schemas", { allOf: Array.from({ length: 2001 }, () => ({})) }, "has more than 2000 schemas"],
  ])("with %s is refused", (_, body, problem) => {
    const contract = contractOf(normalize(vendorDocument()));
    const text = JSON.stringify({ ...contract, create: { ...contract.create, body } });
    expect(() => parseContract(text)).toThrow(problem);
  });

  it.each<[string, Json]>([
    ["source", { source: [] }],
    ["source.date", { source: { from: "", title: "", digest: "", date: 5 } }],
    ["create.path", { create: {} }],
    ["get", { get: undefined }],
  ])("without a valid %s is refused", (path, fields) => {
    const text = JSON.stringify({ ...contractOf(normalize(vendorDocument())), ...fields });
    expect(() => parseContract(text)).toThrow(`has no valid value in ${path}`);
  });

  it("that is nested too deeply is refused before it is parsed", () => {
    expect(() => parseContract("[".repeat(100_000))).toThrow("is nested too deeply");
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
  const stepsOf = (document: Json) => countSteps(() => normalize(document));

  it("cost a few steps each", async () => {
    const steps = (await stepsOf(withPaths(20_000))) - (await stepsOf(vendorDocument()));
    expect(steps / 20_000).toBeLessThan(50);
  });

  it("are counted where the operation is missing", () => {
    const document = withPaths(7);
    delete nodeAt(document, "paths /v1/status-pages/incidents").post;
    expect(() => normalize(document)).toThrow(
      "has no POST /v1/status-pages/incidents; it has 7 other POST operations",
    );
  });

  it("can have servers of their own, also behind a reference", () => {
    const document = vendorDocument();
    const paths = nodeAt(document, "paths");
    const { post, ...others } = paths["/v1/status-pages/incidents"] as Json;
    paths["/v1/status-pages/incidents"] = others;
    paths["/incidents"] = { $ref: "#/x-items/create" };
    document["x-items"] = { create: { post, servers: [{ url: "https://api.example.com/v1/status-pages" }] } };
    expect(normalize(document).create.path).toBe("/v1/status-pages/incidents");
  });
});
