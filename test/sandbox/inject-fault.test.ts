// The effect of each kind of fault on the response, the connection and the timing, and whether it creates an incident.
import { describe, expect, it } from "vitest";
import type { Answered, Outcome } from "../../src/http/transport.ts";
import { createScript } from "../../src/sandbox/script.ts";
import {
  createBody,
  createRequest,
  incidentId,
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

describe("faults with a response", () => {
  it.each([401, 403, 404, 429, 500, 502, 503])(
    "%i responds with that status and creates nothing",
    async (status) => {
      const { outcome, created } = await createOnce({ faults: [`create:${status}`] });
      expect(answered(outcome).status).toBe(status);
      expect(created).toBe(0);
    },
  );

  it("502 responds with an HTML page", async () => {
    const { outcome } = await createOnce({ faults: ["create:502"] });
    expect(answered(outcome).headers["content-type"]).toMatch("text/html");
    expect(textOf(outcome)).toMatch("<h1>502 Bad Gateway</h1>");
  });

  it("429 and 503 have a Retry-After header only if the fault has an argument", async () => {
    expect(answered((await createOnce({ faults: ["create:429=7"] })).outcome).headers["retry-after"]).toBe(
      "7",
    );
    expect(
      answered((await createOnce({ faults: ["create:503=1500ms"] })).outcome).headers["retry-after"],
    ).toBe("2");
    expect(answered((await createOnce({ faults: ["create:429"] })).outcome).headers).not.toHaveProperty(
      "retry-after",
    );
  });

  it.each([429, 503])(
    "%i supports Retry-After as an HTTP date, relative to the Date header",
    async (status) => {
      const { outcome } = await createOnce({ faults: [`create:${status}=date+90s`] });
      expect(answered(outcome).headers).toMatchObject({
        date: "Tue, 10 Mar 2026 08:30:00 GMT",
        "retry-after": "Tue, 10 Mar 2026 08:31:30 GMT",
      });
    },
  );

  it("wrong-type sends the correct body with a wrong content type", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:wrong-type"] });
    expect(answered(outcome)).toMatchObject({
      status: 201,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
    expect(JSON.parse(textOf(outcome))).toMatchObject({ id: incidentId });
    expect(created).toBe(1);
  });

  it("redirect responds with 302 and the location", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:redirect=https://else.example/x"] });
    expect(answered(outcome)).toMatchObject({ status: 302, headers: { location: "https://else.example/x" } });
    expect(created).toBe(0);
  });

  it("error-after-commit creates the incident and responds with 502", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:error-after-commit"] });
    expect(answered(outcome).status).toBe(502);
    expect(created).toBe(1);
  });
});

describe("faults that break the body of a 201", () => {
  it("truncated ends in the middle of the body, with a body error", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:truncated"] });
    const whole = textOf((await createOnce({})).outcome);
    expect(outcome).toMatchObject({ status: 201, bodyError: "truncated" });
    expect(whole.startsWith(textOf(outcome))).toBe(true);
    expect(textOf(outcome).length).toBeLessThan(whole.length);
    expect(created).toBe(1);
  });

  it("invalid-json sends a body that is not JSON", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:invalid-json"] });
    expect(answered(outcome).status).toBe(201);
    expect(() => JSON.parse(textOf(outcome))).toThrow(SyntaxError);
    expect(created).toBe(1);
  });

  it("invalid-utf8 sends JSON that only a lenient decoder accepts", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:invalid-utf8"] });
    const strict = new TextDecoder("utf-8", { fatal: true });
    expect(() => strict.decode(answered(outcome).body)).toThrow(TypeError);
    expect(JSON.parse(textOf(outcome))).toMatchObject({ id: incidentId, note: "\ufffd" });
    expect(created).toBe(1);
  });

  it("empty sends no body", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:empty"] });
    expect(answered(outcome).status).toBe(201);
    expect(textOf(outcome)).toBe("");
    expect(created).toBe(1);
  });

  it("html keeps the status and sends an HTML page", async () => {
    const { outcome, created } = await createOnce({ faults: ["create:html"] });
    expect(answered(outcome)).toMatchObject({
      status: 201,
      headers: { "content-type": "text/html; charset=utf-8" },
    });
    expect(textOf(outcome)).toMatch("<!doctype html>");
    expect(created).toBe(1);
  });
});

describe("faults that break the connection", () => {
  it.each([
    ["drop-before-commit", 0],
    ["drop-after-commit", 1],
  ])("%s ends without a response and creates %i", async (kind, expected) => {
    const { outcome, created } = await createOnce({ faults: [`create:${kind}`] });
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(created).toBe(expected);
  });

  it("slow-commit drops the connection at once and creates the incident later", async () => {
    const { sandbox, clock } = openSandbox({ faults: ["create:slow-commit=3s"] });
    const read = async () => answered(await sandbox.transport(readRequest(incidentId), control)).status;
    const outcome = await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "reset" });
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
    const script = createScript([{ after: 10_000, status: "RESOLVED", description: "Solved." }], {
      guid: () => serviceId,
    });
    const { clock, sandbox } = openSandbox({ faults: ["get#1:stale=4s"], script });
    await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
    clock.advance(12_000);
    const status = async () =>
      JSON.parse(textOf(await sandbox.transport(readRequest(incidentId), control))).lastUpdateStatus;
    expect([await status(), await status()]).toEqual(["INVESTIGATING", "RESOLVED"]);
  });

  it("late answers a create at once, and shows the incident to reads later", async () => {
    const { clock, read, sandbox } = await open(["create:late=20s"]);
    clock.advance(19_999);
    expect(answered(await read()).status).toBe(404);
    const again = await sandbox.transport(createRequest({ ...createBody, id: incidentId }), control);
    expect(answered(again).status).toBe(409);
    clock.advance(1);
    expect(answered(await read()).status).toBe(200);
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

  it("slow-body sends the whole body, unless the deadline or a cancellation comes first", async () => {
    const { sandbox, clock } = openSandbox({ faults: ["create:slow-body=4s"] });
    const send = (deadline: number, signal?: AbortSignal) => {
      const outcome = sandbox.transport(createRequest(), { deadline, ...(signal && { signal }) });
      return outcome.then(answered);
    };
    const caller = new AbortController();
    const [patient, hasty, gone] = [send(10_000), send(1000), send(10_000, caller.signal)];
    await Promise.resolve();
    caller.abort();
    expect(await gone).toMatchObject({ status: 201, bodyError: "cancelled" });
    clock.advance(4000);
    expect(JSON.parse(textOf(await patient))).toMatchObject(createBody);
    expect(await hasty).toMatchObject({ status: 201, bodyError: "timeout" });
    expect((await hasty).body.length).toBeLessThan((await patient).body.length);
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
