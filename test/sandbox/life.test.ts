// The operations that the spec does not show: what they do, what they refuse, and how --only-spec takes them away.
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/http/transport.ts";
import {
  accountId,
  bodyRequest,
  createBody,
  createRequest,
  getRequest,
  incidentId,
  incidentsPath,
  openSandbox,
  serviceId,
  type TestOptions,
} from "./requests.ts";

const control = { deadline: 10_000 };
const path = `${incidentsPath}/${incidentId}`;
const updatesPath = `${path}/incident-updates`;
const { incidentUpdates: _, ...editBody } = createBody;

const jsonOf = (outcome: Outcome) => {
  if (outcome.phase !== "answered") throw new Error(`no answer: ${outcome.detail}`);
  return { status: outcome.status, json: JSON.parse(Buffer.from(outcome.body).toString("utf8")) };
};

/** A sandbox with one incident. */
async function openLife(options: TestOptions = {}) {
  const { sandbox, clock } = openSandbox({ onlySpec: false, ...options });
  const send = async (request: ReturnType<typeof getRequest>) =>
    jsonOf(await sandbox.transport(request, control));
  const id = options.clientIds === "reject" ? {} : { id: incidentId };
  await send(createRequest({ ...createBody, ...id }));
  return {
    sandbox,
    clock,
    get: (at: string) => send(getRequest(at)),
    put: (body: unknown, at = path) => send(bodyRequest("PUT", at, body)),
    post: (body: unknown, at = updatesPath) => send(bodyRequest("POST", at, body)),
    create: (body: object) => send(createRequest({ ...createBody, ...body })),
    send,
  };
}

describe("the list", () => {
  it("has the newest incident first, in pages that nextId joins", async () => {
    const life = await openLife();
    for (let number = 0; number < 21; number += 1) await life.create({ name: `Number ${number}` });
    const first = (await life.get(incidentsPath)).json;
    expect(first).toMatchObject({ length: 20, entries: [{ name: "Number 20" }, ...Array(19).fill({})] });
    const second = (await life.get(`${incidentsPath}?nextId=${first.nextId}&limit=100`)).json;
    expect(second).toMatchObject({
      length: 2,
      entries: [{ name: "Number 0" }, { id: incidentId, incidentUpdates: createBody.incidentUpdates }],
      nextId: null,
    });
  });

  it("continues where it was when an incident is created between two pages", async () => {
    const life = await openLife();
    await life.create({ name: "Second" });
    const { nextId } = (await life.get(`${incidentsPath}?limit=1`)).json;
    await life.create({ name: "Third" });
    expect((await life.get(`${incidentsPath}?limit=1&nextId=${nextId}`)).json.entries).toMatchObject([
      { id: incidentId },
    ]);
  });

  it.each(["limit=0", "limit=101", "limit=ten", `nextId=${serviceId}`])("refuses %s", async (query) => {
    const life = await openLife();
    const { status, json } = await life.get(`${incidentsPath}?${query}`);
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        statusCode: 400,
        error: "Bad Request",
        message: expect.stringContaining(query.split("=")[0] ?? ""),
      },
    });
  });
});

describe("an edit", () => {
  it("replaces the fields that it sends, and nothing else", async () => {
    const life = await openLife();
    life.clock.advance(24 * 3_600_000);
    const services = [...createBody.services, { name: "Search", id: incidentId, accountId }];
    const { status, json } = await life.put({ ...editBody, severity: "CRITICAL", services });
    expect({ status, json }).toMatchObject({
      status: 200,
      json: {
        id: incidentId,
        severity: "CRITICAL",
        services,
        incidentUpdates: createBody.incidentUpdates,
        created_at: "2026-03-10",
        updated_at: "2026-03-11",
      },
    });
    expect((await life.get(path)).json).toEqual(json);
  });

  it.each([
    ["name is required", { ...editBody, name: undefined }],
    ["severity is required", { ...editBody, severity: undefined }],
    ["services is required", { ...editBody, services: undefined }],
    ["services is wrong: Array has too few items (0 < 1).", { ...editBody, services: [] }],
    ["incidentUpdates is not a known field", { ...editBody, incidentUpdates: createBody.incidentUpdates }],
    ["lastUpdateStatus is not a known field", { ...editBody, lastUpdateStatus: "RESOLVED" }],
    [
      'duration is wrong: Instance type "null" is invalid. Expected "integer".',
      { ...editBody, duration: null },
    ],
    ["id must be that of the path", { ...editBody, id: serviceId }],
  ])("is refused: %s", async (message, body) => {
    const life = await openLife();
    expect(await life.put(body)).toEqual({
      status: 400,
      json: { statusCode: 400, error: "Bad Request", message },
    });
    expect((await life.get(path)).json.updated_at).toBe("2026-03-10");
  });
});

describe("an added update", () => {
  it("comes last in the incident, and gives the incident its status", async () => {
    const life = await openLife();
    life.clock.advance(90_000);
    const added = await life.post({ description: "Fixed.", status: "RESOLVED", notifySubscribers: true });
    expect(added).toEqual({
      status: 200,
      json: {
        description: "Fixed.",
        status: "RESOLVED",
        notifySubscribers: true,
        publicIncidentUpdateDate: "2026-03-10T08:31:30.000Z",
        created_at: "2026-03-10",
        id: expect.any(String),
      },
    });
    const { json } = await life.get(path);
    expect(json).toMatchObject({ lastUpdateStatus: "RESOLVED", duration: 90, updated_at: "2026-03-10" });
    expect(json.incidentUpdates).toMatchObject([createBody.incidentUpdates[0], added.json]);
  });

  it("takes the status of the incident where it has none, and a resolved one reopens", async () => {
    const life = await openLife();
    await life.post({ description: "We found it.", status: "IDENTIFIED" });
    expect((await life.post({ description: "We are on it." })).json.status).toBe("IDENTIFIED");
    await life.post({ description: "Over.", status: "RESOLVED" });
    await life.post({ description: "Not over.", status: "INVESTIGATING" });
    expect((await life.get(path)).json).toMatchObject({ lastUpdateStatus: "INVESTIGATING", duration: null });
  });

  it.each([
    ["description is required", { status: "RESOLVED" }],
    ['description is wrong: Instance type "null" is invalid. Expected "string".', { description: null }],
    [
      'status is wrong: Instance does not match any of ["INVESTIGATING","IDENTIFIED","MONITORING","RESOLVED"].',
      { description: "x", status: "DONE" },
    ],
    [
      'notifySubscribers is wrong: Instance type "string" is invalid. Expected "boolean".',
      { description: "x", notifySubscribers: "no" },
    ],
    ['id is wrong: String does not match format "uuid".', { description: "x", id: "1" }],
    ["text is not a known field", { description: "x", text: "y" }],
  ])("is refused: %s", async (message, body) => {
    const life = await openLife();
    expect((await life.post(body)).json).toEqual({ statusCode: 400, error: "Bad Request", message });
    expect((await life.get(path)).json.incidentUpdates).toHaveLength(1);
  });

  it.each<[name: string, options: TestOptions, statuses: number[], ids: unknown[]]>([
    ["is kept, and conflicts the second time", {}, [200, 409], [serviceId]],
    ["is kept twice", { onDuplicateId: "create-again" }, [200, 200], [serviceId, serviceId]],
    ["changes", { clientIds: "ignore" }, [200, 200], [expect.stringMatching(/^0{8}/), expect.any(String)]],
    ["is refused", { clientIds: "reject" }, [400, 400], []],
  ])("with an id of the client: it %s", async (_name, options, statuses, ids) => {
    const life = await openLife({ clientIds: "honour", ...options });
    const { id } = (await life.get(incidentsPath)).json.entries[0];
    const at = `${incidentsPath}/${id}/incident-updates`;
    const body = { description: "We found it.", id: serviceId };
    const replies = [await life.post(body, at), await life.post(body, at)];
    expect(replies.map(({ status }) => status)).toEqual(statuses);
    const added = (await life.get(`${incidentsPath}/${id}`)).json.incidentUpdates.slice(1);
    expect(added.map((update: { id: string }) => update.id)).toEqual(ids);
  });

  it("has an id of the service's own in a create as well, where ids are replaced", async () => {
    const life = await openLife({ clientIds: "ignore" });
    const { json } = await life.create({ incidentUpdates: [{ description: "x", id: serviceId }] });
    expect(json.incidentUpdates[0].id).toMatch(/^0{8}/);
  });

  it("counts as a duplicate where it says again what the one before it says", async () => {
    const life = await openLife();
    const found = { description: "We found it.", status: "IDENTIFIED" };
    for (const body of [found, { ...found, status: "MONITORING" }, found, found]) await life.post(body);
    expect(life.sandbox.statistics()).toMatchObject({ created: 1, updates: 4, duplicates: 1 });
  });
});

describe("the services", () => {
  it("are the sandbox's own, in pages", async () => {
    const life = await openLife();
    const first = (await life.get("/v1/status-pages/services?limit=2")).json;
    expect(first).toMatchObject({ length: 2, entries: [{ name: "Checkout", accountId }, {}] });
    const { json } = await life.get(`/v1/status-pages/services?nextId=${first.nextId}`);
    expect(json).toMatchObject({ length: 1, nextId: null, entries: [{ name: "Sign-in" }] });
  });
});

const calls: readonly (readonly [operation: string, method: string, at: string, body: object | undefined])[] =
  [
    ["list", "GET", incidentsPath, undefined],
    ["edit", "PUT", path, editBody],
    ["update", "POST", updatesPath, { description: "We found it." }],
    ["services", "GET", "/v1/status-pages/services", undefined],
  ];

describe.each(calls)("%s, as every operation,", (operation, method, at, body) => {
  const request = body === undefined ? getRequest(at) : bodyRequest(method, at, body);

  it("wants the key and the account, and counts for the rate limit", async () => {
    const life = await openLife({ rateLimit: { requests: 4, seconds: 60 } });
    const withHeader = (header: object) =>
      life.send({ ...request, headers: { ...request.headers, ...header } });
    expect((await withHeader({ authorization: "Bearer x" })).json).toMatchObject({ message: "Bad Token" });
    expect((await withHeader({ "x-service-account": serviceId })).status).toBe(403);
    expect((await life.send(request)).status).toBe(200);
    expect((await life.send(request)).status).toBe(429);
  });

  it("has faults of its own, before and after the change", async () => {
    const { sandbox } = await openLife({
      faults: [`${operation}#1:503`, `${operation}#2:drop-before-commit`, `${operation}#3:drop-after-commit`],
    });
    expect(await sandbox.transport(request, control)).toMatchObject({ status: 503 });
    expect(await sandbox.transport(request, control)).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(sandbox.statistics().updates).toBe(0);
    expect(await sandbox.transport(request, control)).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(sandbox.statistics().updates).toBe(operation === "update" ? 1 : 0);
    expect(await sandbox.transport(request, control)).toMatchObject({ status: 200 });
  });

  it("is an unknown path or method of a service that can only create and read", async () => {
    const life = await openLife({ onlySpec: true });
    const { status } = await life.send(request);
    expect(status).toBe(at === incidentsPath || at === path ? 405 : 404);
  });
});

it("list:stale is an older list", async () => {
  const life = await openLife({ faults: ["list#1:stale=60s"] });
  await life.post({ description: "Over.", status: "RESOLVED" });
  life.clock.advance(5000);
  expect((await life.get(incidentsPath)).json.entries).toEqual([]);
  expect((await life.get(incidentsPath)).json.entries).toMatchObject([{ lastUpdateStatus: "RESOLVED" }]);
});

it.each(["PUT", "POST"])("%s for an unknown incident is 404", async (method) => {
  const life = await openLife();
  const at = `${incidentsPath}/${serviceId}${method === "PUT" ? "" : "/incident-updates"}`;
  const { json } = await life.send(bodyRequest(method, at, { description: "x" }));
  expect(json).toEqual({ statusCode: 404, error: "Not Found", message: "Not Found" });
});

it("an unknown method is 405 with those that are allowed", async () => {
  const { sandbox } = await openLife();
  const allowed = async (at: string) => {
    const outcome = await sandbox.transport({ ...getRequest(at), method: "DELETE" }, control);
    return outcome.phase === "answered" && [outcome.status, outcome.headers.allow];
  };
  expect(await allowed(incidentsPath)).toEqual([405, "GET, POST"]);
  expect(await allowed(path)).toEqual([405, "GET, PUT"]);
  expect(await allowed(updatesPath)).toEqual([405, "POST"]);
});

it("shows an update on the status page as it comes", async () => {
  const life = await openLife();
  const page = async () => {
    const outcome = await life.sandbox.transport({ ...getRequest("/"), headers: {} }, control);
    return outcome.phase === "answered" ? Buffer.from(outcome.body).toString() : "";
  };
  expect(await page()).toContain("1 open incident");
  await life.post({ description: "We found it.", status: "IDENTIFIED", notifySubscribers: true });
  expect(await page()).toMatch(
    /Identified[\s\S]*Subscribers notified[\s\S]*We found it[\s\S]*We are looking/,
  );
  await life.put({ ...editBody, severity: "CRITICAL", name: "Checkout fails for all" });
  expect(await page()).toMatch(/Critical[\s\S]*Checkout fails for all/);
  await life.post({ description: "Over.", status: "RESOLVED" });
  expect(await page()).toContain("Everything is running");
});
