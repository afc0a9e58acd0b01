// The three services, as their own documents describe them: what the tool finds in each, and that each does it.
import { describe, expect, it } from "vitest";
import { findOperations } from "../../../src/document/find-operations.ts";
import type { ReceivedRequest } from "../../../src/sandbox/route.ts";
import {
  accountId,
  apiKey,
  createBody,
  incidentId,
  incidentsPath,
  serviceId,
} from "../../sandbox/requests.ts";
import { documentOf, type LifeService, lifeServices } from "./life-services.ts";

const headers = { authorization: `Bearer ${apiKey}`, "x-service-account": accountId };

async function send(
  { transport }: Pick<LifeService, "transport">,
  method: string,
  path: string,
  body?: object,
) {
  const request: ReceivedRequest = {
    method,
    url: `http://127.0.0.1${incidentsPath}${path}`,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  const outcome = await transport(request, { deadline: 10_000 });
  if (outcome.phase !== "answered") return { status: 0, json: undefined };
  return { status: outcome.status, json: JSON.parse(Buffer.from(outcome.body).toString()) };
}

const fields = ["name", "services", "severity"];

const found = {
  "the sandbox": {
    list: {
      items: ["entries"],
      pageSize: { param: "limit", max: 100 },
      next: { kind: "cursor", param: "nextId" },
    },
    edit: { method: "PUT", properties: expect.arrayContaining(fields) },
    addUpdate: { segment: "incident-updates" },
    services: { items: ["entries"], next: { param: "nextId" } },
  },
  "a service on hapi": {
    list: {
      items: [],
      pageSize: { param: "per_page", max: 50 },
      next: { kind: "page", param: "page", first: 1 },
    },
    edit: { method: "PATCH", properties: fields },
    addUpdate: { segment: "updates" },
    services: { items: [], next: { kind: "page" } },
  },
  "a service with envelopes": {
    list: {
      items: ["data", "items"],
      pageSize: { param: "limit", max: 200 },
      next: { kind: "cursor", param: "cursor" },
    },
    edit: { method: "PUT", properties: fields },
    addUpdate: { segment: "status_updates" },
    services: { items: ["data", "items"], next: { param: "cursor" } },
  },
} as const;

describe.each(lifeServices)("%s", (name, open) => {
  it("describes its operations so that the tool finds them", async () => {
    const operations = findOperations(await documentOf(await open()));
    expect(operations).toMatchObject({ ...found[name as keyof typeof found] });
    expect(operations.accountHeader).toBe("x-service-account");
  });

  it.each(["kept", "replaced"] as const)(
    "declares, updates, edits and lists, with ids that are %s",
    async (ids) => {
      const service = await open({ ids });
      const { edit, addUpdate } = findOperations(await documentOf(service));
      const incidentUpdates = [{ ...createBody.incidentUpdates[0], status: "INVESTIGATING" }];
      await send(service, "POST", "", { ...createBody, incidentUpdates, id: incidentId });
      const id = service.incidents()[0]?.id;
      expect(id === incidentId).toBe(ids === "kept");
      const added = { description: "It is over.", status: "RESOLVED", id: serviceId };
      expect((await send(service, "POST", `/${id}/${addUpdate?.segment}`, added)).status).toBeLessThan(202);
      const { name, services } = createBody;
      const edited = { name, services, severity: "CRITICAL" };
      expect((await send(service, edit?.method ?? "", `/${id}`, edited)).status).toBe(200);
      expect(service.incidents()).toMatchObject([
        {
          severity: "CRITICAL",
          lastUpdateStatus: "RESOLVED",
          incidentUpdates: [{}, { description: "It is over." }],
        },
      ]);
      expect(service.incidents()[0]?.incidentUpdates[1]?.id === serviceId).toBe(ids === "kept");
      expect(JSON.stringify((await send(service, "GET", "")).json)).toContain(id);
      expect(service.requests.map(({ operation }) => operation)).toEqual([
        "document",
        "create",
        "update",
        "edit",
        "list",
      ]);
    },
  );

  it("loses an answer after the change, or a request before it, and takes changes of others", async () => {
    const service = await open();
    await send(service, "POST", "", { ...createBody, id: incidentId });
    const { addUpdate } = findOperations(await documentOf(service));
    const add = (description: string) =>
      send(service, "POST", `/${incidentId}/${addUpdate?.segment}`, { description, status: "IDENTIFIED" });
    service.loseAnswer("update");
    service.loseRequest("update");
    expect(await add("one")).toEqual({ status: 0, json: undefined });
    expect(await add("two")).toEqual({ status: 0, json: undefined });
    await service.addUpdate(incidentId, { description: "three", status: "MONITORING" });
    await service.edit(incidentId, { severity: "MINOR" });
    const [incident] = service.incidents();
    expect(incident?.severity).toBe("MINOR");
    expect(incident?.incidentUpdates.slice(1)).toMatchObject([
      { description: "one" },
      { description: "three" },
    ]);
  });

  it("refuses another key, an unknown incident and an update without a text, on a socket as well", async () => {
    const service = await open();
    const url = await service.listen();
    const post = async (path: string, body: object, more = {}) =>
      (
        await fetch(`${url}${incidentsPath}${path}`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json", ...more },
          body: JSON.stringify(body),
        })
      ).status;
    const { addUpdate } = findOperations(await documentOf(service));
    const updates = `/${incidentId}/${addUpdate?.segment}`;
    const update = { description: "x", status: "RESOLVED" };
    expect(await post("", { ...createBody, id: incidentId }, { authorization: "Bearer x" })).toBe(401);
    expect(await post(updates, update)).toBe(404);
    expect(await post("", { ...createBody, id: incidentId })).toBe(201);
    expect([400, 422]).toContain(await post(updates, { status: "RESOLVED" }));
    service.loseAnswer("update");
    await expect(post(updates, update)).rejects.toThrow("fetch failed");
    expect(service.incidents()[0]?.incidentUpdates).toHaveLength(2);
  });
});
