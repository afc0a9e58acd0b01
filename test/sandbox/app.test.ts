import { describe, expect, it } from "vitest";
import type { RequestLogEntry } from "../../src/sandbox/app.ts";
import {
  bodyRequest,
  createBody,
  createRequest,
  incidentId,
  incidentsPath,
  openSandbox,
  readRequest,
  serviceId,
} from "./requests.ts";

const control = { deadline: 10_000 };

describe("createSandbox", () => {
  it("calls beforeSend first, and handles nothing if it throws", async () => {
    const { sandbox } = openSandbox();
    const beforeSend = async () => {
      throw new Error("append failed");
    };
    await expect(sandbox.transport(createRequest(), { ...control, beforeSend })).rejects.toThrow(
      "append failed",
    );
    const none = { created: 0, updates: 0, duplicates: 0, rateLimited: 0 };
    expect(sandbox.statistics()).toEqual({ ...none, requests: 0 });
  });

  it("handles nothing if the request is already cancelled", async () => {
    const { sandbox } = openSandbox();
    const outcome = await sandbox.transport(createRequest(), { ...control, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ phase: "unsent", reason: "cancelled" });
    expect(sandbox.statistics().requests).toBe(0);
  });

  it("reports every request with its injected fault", async () => {
    const log: RequestLogEntry[] = [];
    const { sandbox } = openSandbox({
      faults: ["create#2:drop-before-commit"],
      onRequest: (entry) => log.push(entry),
    });
    await sandbox.transport(createRequest(), control);
    await sandbox.transport(createRequest(), control);
    await sandbox.transport(readRequest("nobody"), control);
    const path = "/v1/status-pages/incidents";
    expect(log).toEqual([
      { method: "POST", path, status: 201 },
      { method: "POST", path, status: "dropped", fault: "create#2:drop-before-commit" },
      { method: "GET", path: `${path}/nobody`, status: 404 },
    ]);
  });

  it("counts an incident with the words of an earlier one as a duplicate, unless that one is over", async () => {
    const { sandbox } = openSandbox({ onlySpec: false });
    const declare = (body: object) => sandbox.transport(createRequest({ ...createBody, ...body }), control);
    const duplicates = () => sandbox.statistics().duplicates;
    await declare({ id: incidentId });
    await declare({ name: "Another" });
    expect(duplicates()).toBe(0);
    await declare({});
    expect(duplicates()).toBe(1);
    await declare({ id: serviceId, name: "It ends" });
    const over = { description: "Over.", status: "RESOLVED" };
    const path = `${incidentsPath}/${serviceId}/incident-updates`;
    await sandbox.transport(bodyRequest("POST", path, over), control);
    await declare({ name: "It ends" });
    expect(sandbox.statistics()).toMatchObject({ created: 5, duplicates: 1 });
  });
});
