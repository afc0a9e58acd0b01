// The operations that a service's own document describes, in the shapes of such documents, and what is refused in it.
import { describe, expect, it } from "vitest";
import type { Operations } from "../../src/document/contract.ts";
import { parseContract } from "../../src/document/contract.ts";
import { type OperationName, operationNames } from "../../src/document/contract-terms.ts";
import { findOperations } from "../../src/document/find-operations.ts";
import { wholeOpenapi } from "../../src/sandbox/openapi.ts";
import { type Json, nodeAt } from "../harness/contracts.ts";
import {
  answers,
  content,
  incidentsPath,
  schemas,
  serviceDocument,
  servicesPath,
} from "./service-documents.ts";

/** Reads operations as the file of a contract has them. */
function parseOperations(operations: unknown): unknown {
  const source = { from: "" };
  return parseContract(JSON.stringify({ formatVersion: 1, source, create: { body: {} }, operations }))
    .operations;
}

const { incident, service, update } = schemas;
const oneIncident = `${incidentsPath}/{incidentId}`;
const updatesPath = `${oneIncident}/incident-updates`;

type Change = (paths: Json, document: Json) => void;

function found(change: Change = () => undefined): Operations {
  const document = JSON.parse(JSON.stringify(serviceDocument())) as Json;
  change(nodeAt(document, "paths"), document);
  return findOperations(document);
}

const listAt = (paths: Json) => nodeAt(paths, `${incidentsPath} get`);
const addAt = (paths: Json) => nodeAt(paths, `${updatesPath} post`);
const editAt = (paths: Json) => nodeAt(paths, `${oneIncident} put`);
const bodyOf = (operation: Json) => nodeAt(operation, "requestBody content application/json schema");
const answerOf = (operation: Json) => nodeAt(operation, "responses 200 content application/json schema");
const setAnswer = (operation: Json, schema: Json) => Object.assign(operation, answers(schema));
const addParameter = (operation: Json, parameter: Json) => (operation.parameters as Json[]).push(parameter);
const listOf = (items: Json): Json => ({ type: "array", items });
const moveUpdates = (paths: Json, ...to: readonly string[]) => {
  const item = nodeAt(paths, updatesPath);
  delete paths[updatesPath];
  for (const path of to) paths[`${oneIncident}/${path}`] = item;
  return item;
};

const pageSize = { param: "limit", max: 100 };
const cursorPages = { items: ["entries"], pageSize, next: { kind: "cursor", param: "nextId" } } as const;
const put = { method: "PUT", properties: ["duration", "name", "services", "severity"] } as const;

/** Swagger 2.0: a base path, the body as a parameter, and schemas beside the descriptions. */
function toSwagger(paths: Json, document: Json): void {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as Json) as Json[]);
  for (const operation of operations) {
    const parameters = ((operation.parameters ?? []) as Json[]).map(({ schema, ...others }) => ({
      ...others,
      ...(schema as Json),
    }));
    if (operation.requestBody !== undefined)
      parameters.push({ in: "body", name: "body", schema: bodyOf(operation) });
    delete operation.requestBody;
    operation.parameters = parameters;
    for (const answer of Object.values(operation.responses as Record<string, Json>)) {
      if (answer.content !== undefined) answer.schema = nodeAt(answer, "content application/json schema");
      delete answer.content;
    }
  }
  const below = Object.entries(paths).map(([path, item]) => [path.replace("/v1", ""), item]);
  document.paths = Object.fromEntries(below);
  Object.assign(document, { openapi: undefined, servers: undefined, swagger: "2.0", basePath: "/v1" });
}

describe("a document of a service of this kind", () => {
  it("describes every operation", () => {
    const { addUpdate, ...others } = found();
    expect(others).toEqual({
      list: cursorPages,
      edit: put,
      services: cursorPages,
      accountHeader: "x-vendor-account",
    });
    expect(addUpdate?.segment).toBe("incident-updates");
    expect(addUpdate?.body.required).toEqual(["description"]);
  });

  it.each<[string, Change, Partial<Operations>]>([
    ["OpenAPI 3.1", (_, document) => Object.assign(document, { openapi: "3.1.0" }), { list: cursorPages }],
    ["Swagger 2.0 with a base path", toSwagger, { list: cursorPages, services: cursorPages, edit: put }],
    [
      "a server with a path",
      (_, document) => Object.assign(document, { servers: [{ url: "https://api.example.com/monitoring" }] }),
      { list: cursorPages },
    ],
    [
      "references",
      (paths, document) => {
        Object.assign(document, { components: { schemas: { Page: answerOf(listAt(paths)) } } });
        setAnswer(listAt(paths), { $ref: "#/components/schemas/Page" });
      },
      { list: cursorPages },
    ],
    [
      "a bare list without pages",
      (paths) => Object.assign(listAt(paths), { parameters: [], ...answers(listOf(incident)) }),
      { list: { items: [] } },
    ],
    [
      "an envelope with the list",
      (paths) => setAnswer(listAt(paths), { type: "object", properties: { data: listOf(incident) } }),
      { list: { items: ["data"], pageSize } },
    ],
    [
      "an envelope with a page",
      (paths) => setAnswer(listAt(paths), { type: "object", properties: { data: answerOf(listAt(paths)) } }),
      { list: { ...cursorPages, items: ["data", "entries"] } },
    ],
    [
      "numbered pages",
      (paths) =>
        Object.assign(listAt(paths), {
          parameters: [
            { in: "query", name: "page", schema: { type: "integer", minimum: 1 } },
            { in: "query", name: "per_page", schema: { type: "integer", maximum: 50 } },
            { in: "query", name: "offset", schema: { type: "integer" } },
          ],
        }),
      {
        list: {
          items: ["entries"],
          pageSize: { param: "per_page", max: 50 },
          next: { kind: "page", param: "page", first: 1 },
        },
      },
    ],
    [
      "entries with a field status",
      (paths) => {
        const { lastUpdateStatus, ...properties } = incident.properties;
        setAnswer(listAt(paths), listOf({ properties: { ...properties, status: lastUpdateStatus } }));
      },
      { list: { items: [], pageSize } },
    ],
    [
      "an incident in parts",
      (paths) => setAnswer(listAt(paths), listOf({ allOf: [incident, { properties: {} }] })),
      { list: { items: [], pageSize } },
    ],
    [
      "a PATCH beside the PUT",
      (paths) =>
        Object.assign(nodeAt(paths, oneIncident), {
          patch: { ...editAt(paths), requestBody: content({ properties: incident.properties }) },
        }),
      { edit: { method: "PATCH", properties: ["id", "lastUpdateStatus", "name", "services", "severity"] } },
    ],
    [
      "a deprecated PATCH beside the PUT",
      (paths) => {
        nodeAt(paths, oneIncident).patch = { ...editAt(paths), deprecated: true };
      },
      { edit: put },
    ],
    ["a deprecated PUT alone", (paths) => Object.assign(editAt(paths), { deprecated: true }), { edit: put }],
    [
      "a server of another host for everything",
      (_, document) => Object.assign(document, { servers: [{ url: "https://elsewhere.example" }] }),
      { list: cursorPages },
    ],
    [
      "a parameter named host that can be left out",
      (paths) => addParameter(listAt(paths), { in: "header", name: "host", schema: { type: "string" } }),
      { list: cursorPages },
    ],
  ])("with %s describes them, and a file can hold them", (_, change, expected) => {
    expect(found(change)).toMatchObject(expected);
    expect(parseOperations(JSON.parse(JSON.stringify(found(change))))).toEqual(found(change));
  });

  it.each(["updates", "incident_updates", "status-update"])(
    "with updates at /%s, answered with 201 and the incident, can add one",
    (segment) => {
      const { addUpdate } = found((paths) => {
        Object.assign(nodeAt(moveUpdates(paths, segment), "post"), answers(incident, "201"));
      });
      expect(addUpdate?.segment).toBe(segment);
    },
  );
});

describe("the pages of a list", () => {
  const pagesWith = (...parameters: readonly Json[]) =>
    found((paths) =>
      Object.assign(listAt(paths), {
        parameters: parameters.map((each) => ({ in: "query", ...each })),
        ...answers(listOf(incident)),
      }),
    ).list;

  it.each<[Json, number | undefined]>([
    [{ type: "integer" }, undefined],
    [{ type: "number" }, undefined],
    [{ type: "integer", minimum: 1 }, 1],
    [{ type: "integer", default: 0 }, 0],
    [{ type: "integer", minimum: 0 }, 0],
    [{ type: "integer", minimum: 0, default: 1 }, 1],
    [{ anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] }, 0],
  ])("of a number %j are counted from %s", (schema, first) => {
    expect(pagesWith({ name: "page", schema })).toEqual({
      items: [],
      next: { kind: "page", param: "page", ...(first !== undefined && { first }) },
    });
  });

  it.each<Json[]>([
    [{ name: "offset", schema: { type: "integer" } }],
    [
      { name: "skip", schema: { type: "integer" } },
      { name: "take", schema: { type: "integer" } },
    ],
    [{ name: "startIndex", schema: { type: "integer" } }],
    [{ name: "start", schema: { type: "integer" } }],
    [{ name: "page", schema: { type: "string" } }],
    [{ name: "page[number]", schema: { type: "integer" } }],
    [{ name: "starting_after", schema: { type: "string" } }],
    [{ name: "size", schema: { type: "integer" } }],
  ])("of %j are not read, and the list is a part", (...parameters) => {
    expect(pagesWith(...parameters)).toEqual({ items: [], isPart: true });
  });

  it.each<Json>([
    { name: "after", schema: { type: "string", format: "date-time" } },
    { name: "after", schema: { type: "string" } },
    { name: "status", schema: { type: "string" } },
    { name: "page_id", schema: { type: "string" } },
    { in: "header", name: "offset", schema: { type: "integer" } },
  ])("are none with a filter: %j", (parameter) => {
    expect(pagesWith(parameter)).toEqual({ items: [] });
  });
});

it("the sandbox's own document describes every operation", () => {
  const operations = findOperations(wholeOpenapi);
  expect(Object.keys(operations).sort()).toEqual(["accountHeader", "addUpdate", "edit", "list", "services"]);
});

describe("an operation is not used", () => {
  it.each<[string, Change, OperationName]>([
    ["where the document has none", (paths) => delete nodeAt(paths, incidentsPath).get, "list"],
    ["where the service has no services", (paths) => delete paths[servicesPath], "services"],
    [
      "with two candidates",
      (paths) => Object.assign(paths, { [`${oneIncident}/updates`]: { post: addAt(paths) } }),
      "addUpdate",
    ],
    [
      "with two deprecated candidates",
      (paths) => {
        Object.assign(addAt(paths), { deprecated: true });
        Object.assign(paths, { [`${oneIncident}/updates`]: { post: addAt(paths) } });
      },
      "addUpdate",
    ],
    [
      "with two lists in its answer",
      (paths) =>
        setAnswer(listAt(paths), { properties: { open: listOf(incident), closed: listOf(incident) } }),
      "list",
    ],
    ["with entries that have no status", (paths) => setAnswer(listAt(paths), listOf(service)), "list"],
    [
      "with a required parameter that is not sent",
      (paths) => addParameter(addAt(paths), { in: "query", name: "host", required: true, schema: {} }),
      "addUpdate",
    ],
    [
      "at another host",
      (paths) => Object.assign(addAt(paths), { servers: [{ url: "https://elsewhere.example" }] }),
      "addUpdate",
    ],
    [
      "of a path at another host",
      (paths) =>
        Object.assign(nodeAt(paths, updatesPath), { servers: [{ url: "https://elsewhere.example" }] }),
      "addUpdate",
    ],
    [
      "at another server of the host",
      (paths) => Object.assign(editAt(paths), { servers: [{ url: "https://api.example.com/other" }] }),
      "edit",
    ],
    [
      "at a path that climbs",
      (paths) => moveUpdates(paths, "../updates", "..updates", "x/updates", "%2e%2e%2fupdates"),
      "addUpdate",
    ],
    [
      "that requires an unknown field",
      (paths) => Object.assign(bodyOf(addAt(paths)), { required: ["description", "region"] }),
      "addUpdate",
    ],
    [
      "that requires an unknown field in a part",
      (paths) => Object.assign(bodyOf(addAt(paths)), { allOf: [{ required: ["tenant"] }] }),
      "addUpdate",
    ],
    [
      "of an edit that requires the updates",
      (paths) => Object.assign(bodyOf(editAt(paths)), { required: ["incidentUpdates"] }),
      "edit",
    ],
    [
      "of an edit that requires an unknown field of a service",
      (paths) =>
        Object.assign(nodeAt(bodyOf(editAt(paths)), "properties services items"), { required: ["region"] }),
      "edit",
    ],
    [
      "of an edit without a severity",
      (paths) => Object.assign(bodyOf(editAt(paths)), { required: [], properties: { name: {} } }),
      "edit",
    ],
    [
      "without a status of an update",
      (paths) =>
        Object.assign(bodyOf(addAt(paths)), {
          properties: { ...update.properties, status: { enum: ["INVESTIGATING", "MONITORING", "RESOLVED"] } },
        }),
      "addUpdate",
    ],
  ])("%s", (_, change, name) => {
    const { [name]: operation, ...others } = found(change);
    expect(operation).toBeUndefined();
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(operationNames.filter((each) => each !== name)),
    );
  });

  it("of a document with more schemas than the bound", () => {
    const level = (number: number) => ({ $ref: `#/definitions/L${number}` });
    // Each refers twice to the next: 2^20 schemas of 20.
    const twice = (number: number) => ({ allOf: [level(number), { properties: { x: level(number) } }] });
    const levels = Array.from({ length: 20 }, (_, number) => [`L${number}`, twice(number + 1)]);
    const change: Change = (paths, document) => {
      Object.assign(document, { definitions: { ...Object.fromEntries(levels), L20: {} } });
      Object.assign(bodyOf(addAt(paths)), { allOf: [level(0)] });
    };
    expect(() => found(change)).toThrow("has more than 2000 schemas for one operation");
  });

  it("as two account headers are none", () => {
    const { accountHeader } = found((paths) =>
      addParameter(nodeAt(paths, `${incidentsPath} post`), {
        in: "header",
        name: "x-account-id",
        schema: {},
      }),
    );
    expect(accountHeader).toBeUndefined();
  });
});

it("a header that every operation requires leaves them: a setting may name it, and else the service insists on it", () => {
  const text = JSON.stringify(serviceDocument());
  const schema = { type: "string" };
  const header = JSON.stringify({ in: "header", name: "X-Vendor-Account", schema });
  expect(text).toContain(header);
  const other = JSON.stringify({ in: "header", name: "X-Tenant", required: true, schema });
  const operations = findOperations(JSON.parse(text.replaceAll(header, other)));
  expect(Object.keys(operations).sort()).toEqual([...operationNames].sort());
});

describe("operations of a file", () => {
  it.each<[string, Json]>([
    ["operations.list.items", { list: { items: ["a", "b", "c"] } }],
    ["operations.list.next", { list: { items: [], next: { kind: "cursor", param: "a&b=c" } } }],
    ["operations.list.pageSize.max", { list: { items: [], pageSize: { param: "limit", max: 1e9 } } }],
    ["operations.addUpdate.segment", { addUpdate: { segment: "../evil", body: {} } }],
    ["operations.addUpdate.segment", { addUpdate: { segment: "a/b", body: {} } }],
    ["operations.edit.method", { edit: { method: "DELETE", properties: [] } }],
    ["operations.accountHeader", { accountHeader: "authorization" }],
    ["operations.addUpdate.body", { addUpdate: { segment: "updates" } }],
    ["operations.unfit.0", { unfit: ["delete"] }],
  ])("without a valid %s are refused", (path, value) => {
    expect(() => parseOperations(value)).toThrow(`has no valid value in ${path}`);
  });
});
