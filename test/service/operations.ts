// Spec 4 and 5, row by row: both operations with their parameters and statuses, and authentication.
import { beforeEach, describe, expect, it } from "vitest";
import { accountId, apiKey, createBody, incidentId, incidentsPath, serviceId } from "../sandbox/requests.ts";
import { type Changes, openService, type Reply, type TestService } from "./service.ts";

const otherAccount = "99999999-0d3a-4a5e-9b58-6a1f5f0c7d11";

export function describeOperations(): void {
  let service: TestService;
  beforeEach(() => {
    service = openService();
  });

  const operations: readonly (readonly [string, (changes?: Changes) => Promise<Reply>, number])[] = [
    ["spec 4.1 read", (changes) => service.read(incidentId, changes), 200],
    ["spec 4.2 create", (changes) => service.create(createBody, changes), 201],
  ];

  describe.each(operations)("%s", (_name, call, success) => {
    beforeEach(async () => {
      await service.create({ ...createBody, id: incidentId });
    });

    it(`${success}: the incident`, async () => {
      const { status, headers, json } = await call();
      expect(status).toBe(success);
      expect(headers["content-type"]).toMatch(/^application\/json/);
      expect(json).toMatchObject(createBody);
    });

    it.each([
      ["without an Authorization header", undefined],
      ["with another key", "Bearer someone-elses-key"],
      ["with an empty key", "Bearer "],
      ["with another scheme", `Basic ${apiKey}`],
    ])("401 %s", async (_case, authorization) => {
      expect((await call({ headers: { authorization } })).status).toBe(401);
    });

    it.each([
      ["another account", otherAccount],
      ["no GUID", "my-account"],
    ])("403, whose reasons are not shown: %s in the account header", async (_case, account) => {
      expect((await call({ headers: { "x-service-account": account } })).status).toBe(403);
    });

    it("x-service-account is not flagged as required: without it the sandbox takes its own account", async () => {
      expect((await call({ headers: { "x-service-account": undefined } })).status).toBe(success);
    });

    it("x-service-account: a GUID string in either letter case", async () => {
      expect((await call({ headers: { "x-service-account": accountId.toUpperCase() } })).status).toBe(
        success,
      );
    });

    it.each(["Bearer", "bearer", "BEARER"])("spec 5.1 takes the scheme written as %s", async (scheme) => {
      expect((await call({ headers: { authorization: `${scheme} ${apiKey}` } })).status).toBe(success);
    });

    it("not shown: the key is judged before the account, and both before the method", async () => {
      const headers = { authorization: "Bearer wrong", "x-service-account": otherAccount };
      expect((await call({ headers, method: "DELETE" })).status).toBe(401);
      expect((await call({ headers: { "x-service-account": otherAccount }, method: "DELETE" })).status).toBe(
        403,
      );
    });
  });

  describe("spec 4.1 Retrieve an incident", () => {
    it("incidentId: a GUID in either letter case", async () => {
      await service.create({ ...createBody, id: incidentId });
      expect((await service.read(incidentId.toUpperCase())).json.id).toBe(incidentId);
    });

    it("404: no incident has this id", async () => {
      expect((await service.read(serviceId)).status).toBe(404);
    });

    it("not shown: an incidentId that is no GUID is 404 as well", async () => {
      expect((await service.read("not-a-guid")).status).toBe(404);
      expect((await service.read("%F0%28")).status).toBe(404);
    });

    it("not shown: another method is 405 with the one that is allowed", async () => {
      const { status, headers } = await service.read(incidentId, { method: "DELETE" });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "GET" });
    });
  });

  describe("spec 4 other endpoints", () => {
    it.each([`${incidentsPath}/`, `${incidentsPath}/${incidentId}/updates`, "/v1/accounts"])(
      "not shown: %s is 404",
      async (path) => {
        expect((await service.get(path)).status).toBe(404);
      },
    );
  });
}
