// The effect of each kind of fault on the response, the connection and the timing, and whether it creates an incident.
import { describe, expect, it } from "vitest";
import type { Answered, Outcome } from "../../src/http/transport.ts";
import {
  bodyRequest,
  createBody,
  createRequest,
  incidentId,
  incidentsPath,
  openSandbox,
  readRequest,
  serviceId,
  type TestOptions,
} from "./requests.ts";

const control = { deadline: 10_000 };

function answered(outcome: Outcome): Answered {
  if (outcome.phase !== "answered") throw new Error(`no answer: ${outcome.detail}`);
  return outcome;
}

const textOf = (outcome: Outcome) => Buffer.from(answered(outcome).body).toString("utf8");

/** Sends one create of `incidentId` to a new sandbox. */
async function createOnce(options: TestOptions) {
  const { sandbox } = openSandbox(options);
  const outcome = await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
  return { outcome, created: sandbox.statistics().created };
}

const html = { "content-type": "text/html; charset=utf-8" };
const reset = { phase: "unanswered", reason: "reset" };

describe("faults of one create", () => {
  it.each<[kind: string, created: number, outcome: object]>([
    ...["401", "403", "404", "429", "500", "502", "503"].map((status): [string, number, object] => [
      status,
      0,
      { status: Number(status) },
    ]),
    ["429=7", 0, { status: 429, headers: { "retry-after": "7" } }],
    ["503=1500ms", 0, { status: 503, headers: { "retry-after": "2" } }],
    ["error-after-commit", 1, { status: 502, headers: html }],
    ["html", 1, { status: 201, headers: html }],
    ["truncated", 1, { status: 201, bodyError: "truncated" }],
    ["drop-before-commit", 0, reset],
    ["drop-after-commit", 1, reset],
  ])("%s creates %i", async (kind, created, outcome) => {
    const result = await createOnce({ faults: [`create:${kind}`] });
    expect(result).toMatchObject({ created, outcome });
    if (!kind.includes("=") && "headers" in result.outcome)
      expect(result.outcome.headers).not.toHaveProperty("retry-after");
  });

  it("502 and html send a page", async () => {
    const bodyOf = async (kind: string) => textOf((await createOnce({ faults: [`create:${kind}`] })).outcome);
    expect(await bodyOf("502")).toMatch("<h1>502 Bad Gateway</h1>");
    expect(await bodyOf("html")).toMatch("<!doctype html>");
  });

  it("truncated ends in the middle of the body", async () => {
    const [part, whole] = [
      textOf((await createOnce({ faults: ["create:truncated"] })).outcome),
      textOf((await createOnce({})).outcome),
    ];
    expect(whole.startsWith(part)).toBe(true);
    expect(part.length).toBeLessThan(whole.length);
  });

  it("ignore-id chooses ids of its own, for a create and for its updates", async () => {
    const { sandbox } = openSandbox({ faults: ["create:ignore-id"] });
    const update = { ...createBody.incidentUpdates[0], id: serviceId };
    const body = { ...createBody, id: incidentId, incidentUpdates: [update] };
    const created = JSON.parse(textOf(await sandbox.transport(createRequest(body), control)));
    expect(created).toMatchObject({ name: createBody.name });
    expect([created.id, created.incidentUpdates[0].id]).not.toContain(incidentId);
    expect(created.incidentUpdates[0].id).not.toBe(serviceId);
  });

  it("refuse-id refuses a create with an id, and takes one without", async () => {
    const { sandbox } = openSandbox({ faults: ["create:refuse-id"] });
    const status = async (body: object) =>
      answered(await sandbox.transport(createRequest(body), control)).status;
    expect([await status({ ...createBody, id: incidentId }), await status(createBody)]).toEqual([400, 201]);
  });

  it("alter-text keeps the first half of the texts", async () => {
    const { sandbox } = openSandbox({ faults: ["create:alter-text"] });
    const body = { ...createBody, name: "Checkout fails", incidentUpdates: [{ description: "We look." }] };
    const created = JSON.parse(textOf(await sandbox.transport(createRequest(body), control)));
    expect(created).toMatchObject({
      name: "Checkou",
      incidentUpdates: [{ description: "We l" }],
      services: [{ id: serviceId }],
    });
  });

  it("slow-commit drops the connection at once and creates the incident later", async () => {
    const { sandbox, clock } = openSandbox({ faults: ["create:slow-commit=3s"] });
    const read = async () => answered(await sandbox.transport(readRequest(incidentId), control)).status;
    const outcome = await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
    expect(outcome).toMatchObject(reset);
    clock.advance(2999);
    expect(await read()).toBe(404);
    clock.advance(1);
    expect(await read()).toBe(200);
    expect(sandbox.incidents()).toHaveLength(1);
  });
});

describe("faults of replicas and caches", () => {
  const open = async (faults: readonly string[]) => {
    const { clock, sandbox } = openSandbox({ faults });
    const created = await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
    expect(answered(created).status).toBe(201);
    return { clock, sandbox, read: () => sandbox.transport(readRequest(incidentId), control) };
  };

  it("stale answers a read as the service was that long ago", async () => {
    const { clock, read, sandbox } = await open(["get:stale=5s"]);
    expect(answered(await read()).status).toBe(404);
    clock.advance(4999);
    expect(answered(await read()).status).toBe(404);
    clock.advance(1);
    expect(answered(await read()).status).toBe(200);
    expect(sandbox.incidents()).toHaveLength(1);
  });

  it("stale is a replica of its own for each fault: the others are up to date", async () => {
    const { clock, read } = await open(["get#1:stale=2s", "get#3:stale=1h"]);
    const statuses: number[] = [];
    for (let number = 1; number <= 4; number += 1) statuses.push(answered(await read()).status);
    clock.advance(3_600_000);
    statuses.push(answered(await read()).status);
    expect(statuses).toEqual([404, 200, 404, 200, 200]);
  });

  it("stale shows an incident as it was before its latest update", async () => {
    const { clock, sandbox } = openSandbox({ faults: ["get#1:stale=4s"], onlySpec: false });
    await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
    clock.advance(10_000);
    const path = `${incidentsPath}/${incidentId}/incident-updates`;
    const update = { description: "Solved.", status: "RESOLVED" };
    await sandbox.transport(bodyRequest("POST", path, update), control);
    clock.advance(2000);
    const status = async () =>
      JSON.parse(textOf(await sandbox.transport(readRequest(incidentId), control))).lastUpdateStatus;
    expect([await status(), await status()]).toEqual(["INVESTIGATING", "RESOLVED"]);
  });
});

describe("faults that delay the response", () => {
  it("slow creates the incident at once and responds later", async () => {
    const { sandbox, clock } = openSandbox({ faults: ["create:slow=2s"] });
    const outcome = sandbox.transport(createRequest(), control);
    expect(sandbox.statistics().created).toBe(1);
    clock.advance(2000);
    expect(answered(await outcome).status).toBe(201);
  });

  it("slow times out if the deadline comes first", async () => {
    const { sandbox, clock } = openSandbox({ faults: ["create:slow=20s"] });
    const outcome = sandbox.transport(createRequest(), control);
    clock.advance(10_000);
    expect(await outcome).toMatchObject({ phase: "unanswered", reason: "timeout" });
  });

  it("no-answer times out and creates nothing", async () => {
    const { sandbox, clock } = openSandbox({ faults: ["create:no-answer"] });
    const outcome = sandbox.transport(createRequest(), control);
    clock.advance(10_000);
    expect(await outcome).toMatchObject({ phase: "unanswered", reason: "timeout" });
    expect(sandbox.statistics()).toMatchObject({ requests: 1, created: 0 });
  });

  it("no-answer ends if the client cancels", async () => {
    const { sandbox } = openSandbox({ faults: ["create:no-answer"] });
    const caller = new AbortController();
    const outcome = sandbox.transport(createRequest(), { ...control, signal: caller.signal });
    caller.abort();
    expect(await outcome).toMatchObject({ phase: "unanswered", reason: "cancelled" });
  });
});
