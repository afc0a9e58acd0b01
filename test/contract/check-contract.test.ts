// The comparison of an OpenAPI document with the tool's assumptions: each difference, and whether it matters.
import { describe, expect, it } from "vitest";
import { compareContract } from "../../src/contract/check-contract.ts";
import { openapi, swagger } from "../../src/sandbox/openapi.ts";

type Json = Record<string, unknown>;

const incidents = "/v1/status-pages/incidents";
const incident = `${incidents}/{incidentId}`;
const schemas = ["components", "schemas"];
const createBody = [...schemas, "CreateIncident"];

function at(document: Json, path: readonly string[]): Json {
  return path.reduce((node, step) => node[step] as Json, document);
}

/** The sandbox's document, which meets every assumption, with changes. */
function changed(change: (document: Json) => void): Json {
  const document: Json = structuredClone(openapi);
  change(document);
  return document;
}

/** One text for each difference; "!" marks a difference that matters. */
function compare(document: unknown, accountHeader = "x-service-account"): string[] | undefined {
  return compareContract(document, accountHeader)?.map(({ message, matters }) =>
    matters ? `!${message}` : message,
  );
}

function set(path: readonly string[], value: unknown): (document: Json) => void {
  return (document) => {
    at(document, path.slice(0, -1))[path.at(-1) as string] = value;
  };
}

describe("the contract", () => {
  it("holds for a document that follows the spec", () => {
    expect(compare(openapi)).toEqual([]);
  });

  it.each<[string, (document: Json) => void, string[]]>([
    [
      "another name for the path's parameter",
      (d) => {
        const paths = at(d, ["paths"]);
        paths[`${incidents}/{id}`] = paths[incident];
        delete paths[incident];
      },
      [],
    ],
    ["a missing operation", (d) => delete at(d, ["paths"])[incidents], [`!there is no POST ${incidents}`]],
    [
      "a new operation",
      set(["paths", incident, "patch"], { responses: {} }),
      [`there is a new operation: PATCH ${incident}`],
    ],
    [
      "a deprecated operation",
      set(["paths", incident, "get", "deprecated"], true),
      [`GET ${incident} is deprecated`],
    ],
    [
      "another status for success",
      (d) => {
        const responses = at(d, ["paths", incidents, "post", "responses"]);
        at(d, ["paths", incidents, "post"]).responses = { "202": responses["201"] };
      },
      [`!POST ${incidents} does not answer 201, but 202`],
    ],
    [
      "a severity less",
      set([...schemas, "IncidentSeverity", "enum"], ["CRITICAL", "MAJOR", "MINOR"]),
      ["!severity cannot be MEDIUM any more"],
    ],
    [
      "a status more",
      set(
        [...schemas, "IncidentStatus", "enum"],
        ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED", "POSTMORTEM"],
      ),
      ["the status of an update can also be POSTMORTEM"],
    ],
    [
      "a shorter name",
      set([...createBody, "properties", "name", "maxLength"], 100),
      ["!a name has at most 100 characters, not 255"],
    ],
    [
      "a longer name",
      set([...createBody, "properties", "name", "maxLength"], 300),
      ["a name has at most 300 characters, not 255"],
    ],
    [
      "a field that a definition can have",
      set([...createBody, "required"], ["name", "duration"]),
      ["the create's body requires duration"],
    ],
    [
      "a field that no definition can have",
      set([...createBody, "required"], ["pageId"]),
      ["!the create's body requires pageId, which incident cannot send"],
    ],
    ["the id, which is sent anyway", set([...createBody, "required"], ["id"]), []],
    [
      "a new field",
      set([...createBody, "properties", "impact"], { type: "string" }),
      ["the create's body has a new field: impact"],
    ],
    ["a vendor's own field", set([...createBody, "properties", "x-internal"], { type: "string" }), []],
    [
      "a field less",
      (d) => delete at(d, [...schemas, "CreateIncidentUpdate", "properties"]).notifySubscribers,
      ["!an update of the create's body has no field notifySubscribers any more"],
    ],
    [
      "more services",
      set([...createBody, "properties", "services", "minItems"], 2),
      ["!services needs at least 2 entries"],
    ],
    [
      "a new field in the answer",
      set([...schemas, "Incident", "properties", "url"], { type: "string" }),
      ["the created incident has a new field: url", "an incident that is read has a new field: url"],
    ],
    [
      "an answer without an id",
      (d) => delete at(d, [...schemas, "Incident", "properties"]).id,
      ["!the created incident has no id", "!an incident that is read has no id"],
    ],
  ])("reports %s", (_, change, differences) => {
    expect(compare(changed(change))).toEqual(differences);
  });

  it("names the document's headers when the account's header differs", () => {
    expect(compare(openapi, "x-account")).toEqual([
      `!POST ${incidents} has no header x-account, but x-service-account`,
      `!GET ${incident} has no header x-account, but x-service-account`,
    ]);
  });
});

describe("an imperfect document", () => {
  const severity = [...createBody, "properties", "severity"];

  it.each<[string, unknown]>([
    ["nullable", { type: "string", nullable: true, enum: ["CRITICAL", "MAJOR", "MINOR", null] }],
    ["a reference to a reference", { $ref: "#/x-parts/a~1b" }],
    [
      "combined schemas",
      { anyOf: [{ type: "null" }, { allOf: [{ enum: ["CRITICAL", "MAJOR", "MINOR"] }] }] },
    ],
    ["constants", { oneOf: [{ const: "CRITICAL" }, { const: "MAJOR" }, { const: "MINOR" }] }],
  ])("is read with %s", (_, schema) => {
    const document = changed((d) => {
      set(severity, schema)(d);
      d["x-parts"] = { "a/b": { $ref: "#/x-parts/three" }, three: { enum: ["CRITICAL", "MAJOR", "MINOR"] } };
    });
    expect(compare(document)).toEqual(["!severity cannot be MEDIUM any more"]);
  });

  it.each<[string, unknown]>([
    ["refers to itself", { $ref: "#/components/schemas/IncidentSeverity" }],
    ["goes round in a circle", { $ref: "#/components/schemas/Circle" }],
    ["contains itself", { allOf: [{ $ref: "#/components/schemas/IncidentSeverity" }] }],
    ["leads out of the document", { $ref: "https://other.example/schema.json" }],
    ["leads nowhere", { $ref: "#/components/%zz/nothing" }],
    ["is no schema", 7],
  ])("is read where a schema %s", (_, schema) => {
    const document = changed((d) => {
      at(d, schemas).IncidentSeverity = schema;
      at(d, schemas).Circle = { $ref: "#/components/schemas/IncidentSeverity" };
    });
    expect(compare(document)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a list", []],
    ["another document", { name: "x", paths: {} }],
    ["an error of the service", { statusCode: 404, error: "Not Found" }],
  ])("is none where it is %s", (_, document) => {
    expect(compareContract(document, "x-service-account")).toBeUndefined();
  });

  it("is compared as far as possible", () => {
    const broken = {
      openapi: "3.0.0",
      paths: { [incidents]: { post: { parameters: 1, responses: [] } }, x: null },
    };
    expect(compare(broken)).toEqual([
      `!there is no GET ${incidents}/{incidentId}`,
      "the create's body is not described",
    ]);
    expect(compare(swagger)).toEqual(["the create's body is not described"]);
  });
});
