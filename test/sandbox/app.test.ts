import { describe, expect, it } from "vitest";
import type { RequestLine } from "../../src/sandbox/app.ts";
import { createRequest, openSandbox, readRequest } from "./requests.ts";

const control = { deadline: 10_000 };

describe("the way in", () => {
  it("tells the caller before anything is sent, and does nothing when that throws", async () => {
    const { sandbox } = openSandbox();
    const beforeSend = async () => {
      throw new Error("marker is taken");
    };
    await expect(sandbox.transport(createRequest(), { ...control, beforeSend })).rejects.toThrow(
      "marker is taken",
    );
    expect(sandbox.statistics()).toEqual({ requests: 0, created: 0, duplicates: 0, tooMany: 0 });
  });

  it("sends nothing for a request that is cancelled already", async () => {
    const { sandbox } = openSandbox();
    const outcome = await sandbox.transport(createRequest(), { ...control, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ phase: "unsent", reason: "cancelled" });
    expect(sandbox.statistics().requests).toBe(0);
  });

  it("reports every request to the observer, with the fault that struck", async () => {
    const lines: RequestLine[] = [];
    const { sandbox } = openSandbox({
      faults: ["create#2:drop-before-commit"],
      onRequest: (line) => lines.push(line),
    });
    await sandbox.transport(createRequest(), control);
    await sandbox.transport(createRequest(), control);
    await sandbox.transport(readRequest("nobody"), control);
    const path = "/v1/status-pages/incidents";
    expect(lines).toEqual([
      { method: "POST", path, status: 201 },
      { method: "POST", path, status: "dropped", fault: "create#2:drop-before-commit" },
      { method: "GET", path: `${path}/nobody`, status: 404 },
    ]);
  });
});
