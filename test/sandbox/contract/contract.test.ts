import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findOperations } from "../../../src/incident/contract/find-operations.ts";
import { normalizeDocument } from "../../../src/rules/openapi/normalize-document.ts";
import { parseLenientText } from "../../../src/rules/openapi/read-document.ts";
import { compilePattern } from "../../../src/rules/patterns.ts";
import { createServiceContract } from "../../../src/sandbox/contract/service-contract.ts";
import { createBody, createRequest, getRequest, openSandbox } from "../requests.ts";

const text = readFileSync(new URL("../../../fixtures/contracts/vendor.json", import.meta.url), "utf8");
const vendor = parseLenientText(text) as Record<string, unknown>;
const control = { deadline: 10_000 };

/** The vendor's document with some parts of its text replaced. */
function vendorWith(...changes: readonly (readonly [from: string, to: string])[]): Record<string, unknown> {
  let changed = JSON.stringify(vendor);
  for (const [from, to] of changes) {
    if (!changed.includes(from)) throw new Error(`The document has no ${from}.`);
    changed = changed.replaceAll(from, to);
  }
  return JSON.parse(changed);
}

function openService(document: unknown) {
  const mismatches: string[] = [];
  const onMismatch = (mismatch: string) => void mismatches.push(mismatch);
  const described = normalizeDocument(document, compilePattern);
  const contract = createServiceContract({ described, document, compilePattern, onMismatch });
  const { sandbox } = openSandbox({ contract });
  const send = async (request: Parameters<typeof sandbox.transport>[0]) => {
    const outcome = await sandbox.transport(request, control);
    if (outcome.phase !== "answered") throw new Error(outcome.phase);
    const { status, headers } = outcome;
    return { status, headers, body: JSON.parse(new TextDecoder().decode(outcome.body)) };
  };
  return { contract, mismatches, send };
}

const [service] = createBody.services;
const [update] = createBody.incidentUpdates;
const { accountId: _, ...serviceWithoutAccount } = service as { accountId: string };

describe("a create at the vendor's service", () => {
  it.each([
    ["as the document says", {}, 201, undefined],
    ["without accountId", { services: [serviceWithoutAccount] }, 400, "services[0].accountId is required"],
    [
      "with two updates",
      { incidentUpdates: [update, update] },
      400,
      "incidentUpdates is invalid: the service requires exactly 1 entry in incidentUpdates, not 2",
    ],
    [
      "with no service",
      { services: [] },
      400,
      "services is invalid: the service requires at least 1 entry in services, not 0",
    ],
    [
      "with a duration of 0",
      { duration: 0 },
      400,
      "duration is invalid: the service requires more than 0 as duration, not 0",
    ],
    ["with a null duration", { duration: null }, 201, undefined],
    [
      "with a wrong id",
      { id: "INC-1" },
      400,
      'id is invalid: the service requires a GUID as id, not "INC-1"',
    ],
    [
      "with another severity",
      { severity: "HUGE" },
      400,
      'severity is invalid: the service requires one of CRITICAL, MAJOR, MEDIUM, MINOR as severity, not "HUGE"',
    ],
  ])("%s is answered so", async (_name, change, status, message) => {
    const { mismatches, send } = openService(vendor);
    const answer = await send(createRequest({ ...createBody, ...change }));
    expect({ status: answer.status, message: answer.body.message }).toEqual({ status, message });
    expect(mismatches).toEqual([]);
  });

  it("can be more than the spec accepts", async () => {
    const { send } = openService(vendorWith(['"MINOR"]', '"MINOR","NOTICE"]']));
    expect((await send(createRequest({ ...createBody, severity: "NOTICE" }))).status).toBe(201);
  });

  it("is refused where the sandbox could not keep it", async () => {
    const { send } = openService(
      vendorWith(['"required":["name","severity","services","incidentUpdates"]', '"x":1']),
    );
    const answer = await send(createRequest({ ...createBody, services: undefined }));
    expect([answer.status, answer.body.message]).toEqual([400, "services is required"]);
  });

  it("is matched with a pattern in linear time, and with no pattern that needs another engine", async () => {
    const named = (pattern: string) =>
      vendorWith(['"maxLength":255', `"pattern":${JSON.stringify(pattern)}`]);
    const body = { ...createBody, name: `${"a".repeat(5_000)}!` };
    const slow = await openService(named("^(a+)+$")).send(createRequest(body));
    expect(slow.status).toBe(400);
    expect(slow.body.message).toMatch(
      /^name is invalid: the service requires that name matches \^\(a\+\)\+\$, and "a+…" does not$/,
    );
    expect((await openService(named("^(?=b)")).send(createRequest(body))).status).toBe(201);
  });
});

describe("the names of the document", () => {
  it("are needed where the document has the header as a part of the authentication", async () => {
    const document = vendorWith(
      ['"security":[{"jwt":[]}]', '"security":[{"jwt":[],"account":[]}]'],
      ['"x-service-account","in":"header"', '"X-Trace","in":"header"'],
      [
        '"securitySchemes":{',
        '"securitySchemes":{"account":{"type":"apiKey","in":"header","name":"X-Account-Ref"},',
      ],
    );
    const described = normalizeDocument(document, compilePattern);
    const operations = findOperations(document, compilePattern);
    const contract = createServiceContract({
      described: { ...described, operations },
      document,
      compilePattern,
      onMismatch: () => undefined,
    });
    expect(contract.accountHeader).toBe("x-account-ref");
    const request = contract.translate(createRequest());
    expect(contract.checkParameters("create", request)).toEqual(["the header X-Account-Ref is required"]);
    const headers = { ...createRequest().headers, "x-account-ref": "an account" };
    const named = contract.translate({ ...createRequest(), headers });
    expect(contract.checkParameters("create", named)).toEqual([]);
  });

  it("are those of its header", async () => {
    const { send } = openService(
      vendorWith(['"x-service-account","in":"header"', '"X-Account-Ref","in":"header","required":true']),
    );
    const { "x-service-account": account, ...headers } = createRequest().headers;
    const missing = await send(createRequest());
    expect([missing.status, missing.body.message]).toEqual([400, "the header X-Account-Ref is required"]);
    const named = (value: string) => ({
      ...createRequest(),
      headers: { ...headers, "x-account-ref": value },
    });
    expect((await send(named(account as string))).status).toBe(201);
    expect((await send(named("0b6d3c52-1a8f-4d7c-8a34-51f1b2c90e77"))).status).toBe(403);
  });

  it("are those of its base path", async () => {
    const { contract, send } = openService(
      vendorWith(["https://api.example.com/", "https://api.example.com/monitoring/"]),
    );
    expect(contract.basePath).toBe("/monitoring");
    const created = await send(createRequest(createBody, "http://sandbox.test/monitoring"));
    expect(created.status).toBe(201);
    const path = `/v1/status-pages/incidents/${created.body.id}`;
    expect((await send(getRequest(`/monitoring${path}`))).body).toEqual(created.body);
    expect((await send(getRequest(path))).status).toBe(404);
    expect((await send(createRequest())).status).toBe(404);
  });

  it("are those of its paths", async () => {
    const { send } = openService(vendorWith(["/v1/status-pages", "/v2/status-pages"]));
    expect((await send(createRequest())).status).toBe(404);
    const url = "http://sandbox.test/v2/status-pages/incidents";
    expect((await send({ ...createRequest(), url })).status).toBe(201);
  });

  it("have a required query parameter", async () => {
    const { send } = openService(
      vendorWith([
        '"parameters":[{"$ref":"#/components/parameters/Account"}],"requestBody"',
        '"parameters":[{"name":"region","in":"query","required":true,"schema":{"type":"string","enum":["eu"]}}],"requestBody"',
      ]),
    );
    const at = async (query: string) => {
      const answer = await send({ ...createRequest(), url: `${createRequest().url}${query}` });
      return [answer.status, answer.body.message];
    };
    expect(await at("")).toEqual([400, "the parameter region is required"]);
    expect(await at("?region=us")).toEqual([
      400,
      'the parameter region is invalid: the service requires eu as the parameter region, not "us"',
    ]);
    expect((await at("?region=eu"))[0]).toBe(201);
  });
});

describe("the answers", () => {
  it.each(["/openapi.json", "/monitoring/openapi.json"])("have the document at %s", async (path) => {
    const document = vendorWith(["https://api.example.com/", "https://api.example.com/monitoring"]);
    expect((await openService(document).send(getRequest(path))).body).toEqual(document);
  });

  it("have the status and the shape that the document describes", async () => {
    const { mismatches, send } = openService(
      vendorWith([
        '"201":{"description":"Created","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Incident"}}}}',
        '"422":{"description":"Invalid","content":{"application/problem+json":{"schema":{"type":"object","required":["type","detail"]}}}},"202":{"description":"Accepted","content":{"application/json":{"schema":{"type":"object","required":["data"],"properties":{"data":{"$ref":"#/components/schemas/Incident"}}}}}}',
      ]),
    );
    const created = await send(createRequest());
    expect([created.status, created.body.data.name]).toEqual([202, createBody.name]);
    const refused = await send(createRequest({ ...createBody, services: [serviceWithoutAccount] }));
    expect(refused).toMatchObject({
      status: 422,
      headers: { "content-type": "application/problem+json; charset=utf-8" },
      body: { status: 400, detail: "services[0].accountId is required" },
    });
    expect(mismatches).toEqual([]);
  });

  it("are sent as they are where the sandbox has no such field, with one line about it", async () => {
    const { mismatches, send } = openService(
      vendorWith([
        '"required":["name","severity","id","services"',
        '"required":["region","name","severity","id","services"',
      ]),
    );
    for (const _ of [1, 2]) expect((await send(createRequest())).status).toBe(201);
    expect(mismatches).toEqual([
      "the sandbox's 201 to a create is not in the document's shape: region is required",
    ]);
  });
});

describe("a document", () => {
  it("can be Swagger 2.0", async () => {
    const { send } = openService({
      swagger: "2.0",
      basePath: "/v1",
      definitions: { Create: { type: "object", required: ["duration"] } },
      paths: {
        "/status-pages/incidents": {
          post: {
            parameters: [{ name: "body", in: "body", schema: { $ref: "#/definitions/Create" } }],
            responses: { 201: { description: "Created" } },
          },
        },
        "/status-pages/incidents/{id}": { get: { responses: { 200: { description: "Found" } } } },
      },
    });
    const answer = await send(createRequest());
    expect([answer.status, answer.body.message]).toEqual([400, "duration is required"]);
    expect((await send(createRequest({ ...createBody, duration: 60 }))).status).toBe(201);
  });
});
