// What carries a request: who sends it and its trace; and the name that an answer gives to a request.
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld, incident } from "../harness/incident.ts";

const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("every request", () => {
  it.each([`get ${id}`, "doctor", "create -f x.yaml"])(
    "of %s names its sender and its trace",
    async (line) => {
      const files = { "x.yaml": definitionYaml({ id }) };
      const { requests } = await incident(line, { files, env: { TRACEPARENT: trace } });
      expect(requests.length).toBeGreaterThan(0);
      for (const { headers } of requests)
        expect(headers).toMatchObject({ "user-agent": `incident-cli/${version}`, traceparent: trace });
    },
  );

  it.each([
    "",
    "x\r\nx-notify: true",
    trace.toUpperCase(),
    trace.replace("00-", "ff-"),
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  ])("has no trace for TRACEPARENT=%j", async (value) => {
    const { requests } = await incident(`get ${id}`, { env: { TRACEPARENT: value } });
    expect(requests[0]?.headers).not.toHaveProperty("traceparent");
  });
});

describe("the id of a request", () => {
  const answering = (status: number, headers: Record<string, string>) => ({
    transport: async () => ({
      phase: "answered" as const,
      status,
      headers,
      body: new TextEncoder().encode(`{"statusCode":${status},"error":"No","message":"No"}`),
    }),
  });

  it.each(["x-request-id", "request-id", "x-amzn-requestid", "cf-ray", "traceparent"])(
    "is that of %s, in an error for people and for programs",
    async (name) => {
      const answer = answering(400, { [name]: "r-1" });
      expect((await incident(`get ${id}`, answer)).stderr).toContain("request id: r-1");
      const { error } = JSON.parse((await incident(`get ${id} -o json`, answer)).stderr);
      expect(error).toMatchObject({ requestId: "r-1", response: { status: 400 } });
      expect((await incident(`get ${id} --debug`, answer)).stderr).toContain(`< ${name}: r-1`);
    },
  );

  it("is the service's own where a proxy adds another", async () => {
    const answer = answering(400, { "cf-ray": "proxy", "x-request-id": "service" });
    expect(JSON.parse((await incident(`get ${id} -o json`, answer)).stderr).error.requestId).toBe("service");
  });

  it.each([
    ["403", "refused"],
    ["500", "uncertain"],
    ["201", "created"],
  ])("is in the journal for a create that is answered with %s", async (status, type) => {
    const faults = status === "201" ? [] : [`create#1:${status}`];
    const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) }, faults });
    await world.run("create -f x.yaml --settle-for 1ms", {
      transport: async (...request) => {
        const outcome = await world.sandbox.transport(...request);
        return outcome.phase === "answered"
          ? { ...outcome, headers: { ...outcome.headers, "x-request-id": "r-2" } }
          : outcome;
      },
    });
    const { events } = JSON.parse((await world.run(`journal show ${id} -o json`)).stdout);
    expect(events).toContainEqual(expect.objectContaining({ type, requestId: "r-2" }));
  });
});
