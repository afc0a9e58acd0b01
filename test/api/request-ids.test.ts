// What carries a request: who sends it; and the name that an answer gives to a request.
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it.each([`get ${id}`, "doctor", "create -f x.yaml"])("each request of %s names its sender", async (line) => {
  const files = { "x.yaml": definitionYaml({ id }) };
  const { requests } = await incident(line, { files });
  expect(requests.length).toBeGreaterThan(0);
  for (const { headers } of requests)
    expect(headers).toMatchObject({ "user-agent": `incident-cli/${version}` });
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
});
