// Spec 7, 8 and 9, row by row: error bodies to the letter, the limits, and the published documents.
import { beforeEach, describe, expect, it } from "vitest";
import { createBody, incidentId, incidentsPath, serviceId } from "../sandbox/requests.ts";
import { type JsonObject, openService, type Reply, type TestService } from "./service.ts";

export function describeErrors(): void {
  let service: TestService;
  beforeEach(() => {
    service = openService({ rateLimit: { requests: 3, seconds: 60 } });
  });

  async function tooMany(): Promise<Reply> {
    for (let count = 0; count < 3; count += 1) await service.read(serviceId);
    return service.read(serviceId);
  }

  describe("spec 7 Errors", () => {
    const badKey = { headers: { authorization: "Bearer x" } };
    const foreign = { headers: { "x-service-account": serviceId } };
    const asYaml = { headers: { "content-type": "text/yaml" } };
    const rows: readonly (readonly [number, string, string, () => Promise<Reply>])[] = [
      [401, "Unauthorized", "Bad Token", () => service.create(createBody, badKey)],
      [403, "Forbidden", "Forbidden", () => service.read(serviceId, foreign)],
      [404, "Not Found", "Not Found", () => service.read(serviceId)],
      [429, "Too Many Requests", "Too Many Requests", tooMany],
    ];

    it.each(rows)(
      "%i: %s, %s, and attributes for 401 and 429 alone",
      async (statusCode, error, message, call) => {
        const { status, json } = await call();
        const attributes = statusCode === 401 || statusCode === 429 ? { attributes: {} } : {};
        expect(status).toBe(statusCode);
        expect(json).toEqual({ statusCode, error, message, ...attributes });
      },
    );

    it.each([
      [400, "Bad Request", () => service.create({ ...createBody, severity: "HIGH" })],
      [405, "Method Not Allowed", () => service.get(incidentsPath)],
      [415, "Unsupported Media Type", () => service.create("name: x", asYaml)],
    ] as const)("rule 4, not shown: %i has the shape of the others", async (statusCode, error, call) => {
      const { status, json } = await call();
      expect(status).toBe(statusCode);
      expect(json).toEqual({ statusCode, error, message: expect.any(String) });
    });

    it.each([401, 403, 404, 429])("the published document lists %i for both operations", async (status) => {
      const { json } = await service.get("/openapi.json");
      const $ref = "#/components/schemas/Error";
      const lists = { responses: { [status]: { content: { "application/json": { schema: { $ref } } } } } };
      expect(json.paths).toMatchObject({
        [incidentsPath]: { post: lists },
        [`${incidentsPath}/{incidentId}`]: { get: lists },
      });
    });
  });

  describe("spec 8 Limits", () => {
    it("request rate: 600 requests every 60 seconds, exact however many come at once", async () => {
      const unlimited = openService();
      const calls = Array.from({ length: 605 }, () => unlimited.read(incidentId));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 404)).toHaveLength(600);
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      unlimited.clock.advance(59_999);
      expect((await unlimited.read(incidentId)).status).toBe(429);
      unlimited.clock.advance(1);
      expect((await unlimited.read(incidentId)).status).toBe(404);
    });

    it("headers, not shown: a 429 says in seconds how long to wait, and waiting as long is enough", async () => {
      const { headers } = await tooMany();
      expect(headers).toMatchObject({ "retry-after": "60", date: "Tue, 10 Mar 2026 08:30:00 GMT" });
      service.clock.advance(60_000);
      expect((await service.read(serviceId)).status).toBe(404);
    });

    it("custom limits of the incident routes, not shown: both share one, and so do requests without a key", async () => {
      const unauthorised = await service.read(serviceId, { headers: { authorization: undefined } });
      const statuses = [unauthorised.status];
      for (let count = 0; count < 3; count += 1) statuses.push((await service.create()).status);
      expect(statuses).toEqual([401, 201, 201, 429]);
    });
  });

  describe("spec 9 Versioning", () => {
    it("v1 is the first segment of every path: no other version and none at all is 404", async () => {
      const { json } = await service.get("/openapi.json");
      expect(Object.keys(json.paths as JsonObject).every((path) => path.startsWith("/v1/"))).toBe(true);
      expect((await service.get(`/v2/status-pages/incidents/${incidentId}`)).status).toBe(404);
      expect((await service.get(`/status-pages/incidents/${incidentId}`)).status).toBe(404);
    });

    it("openapi.json is the current document, served without a key (not shown)", async () => {
      const { status, json } = await service.get("/openapi.json", { headers: { authorization: undefined } });
      expect(status).toBe(200);
      expect(json).toMatchObject({ openapi: "3.1.0", info: { version: "v1" } });
      expect(json.paths).toMatchObject({
        [`${incidentsPath}/{incidentId}`]: { get: { operationId: "getV1StatuspagesIncidentsIncidentid" } },
      });
    });
  });
}
