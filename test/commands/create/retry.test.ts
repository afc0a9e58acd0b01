import { describe, expect, it } from "vitest";
import { answer, createRequest, definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

describe("a failed read", () => {
  it.each([["get#1-2:503"], ["get#1-2:429=7s"], ["get#1-2:no-answer"]])("is retried: %s", async (fault) => {
    const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) }, faults: [fault] });
    await world.sandbox.transport(createRequest(id), { deadline: 1000 });
    const { exitCode, requests, stderr } = await world.run(`get ${id}`);
    expect({ exitCode, requests: requests.length }).toEqual({ exitCode: 0, requests: 3 });
    expect(stderr).toMatch(/again in \d+ s/);
  });

  it("ends after four retries, and states that a rerun is safe", async () => {
    const { exitCode, requests, stderr } = await incident(`get ${id} -o json`, { faults: ["get:503"] });
    expect({ exitCode, requests: requests.length }).toEqual({ exitCode: 7, requests: 5 });
    expect(JSON.parse(stderr).error).toMatchObject({ kind: "unavailable", retryable: true });
  });

  it("ends at once when Retry-After is longer than a minute, and prints the time", async () => {
    const { exitCode, requests, stderr } = await incident(`get ${id}`, { faults: ["get:429=90s"] });
    expect({ exitCode, requests: requests.length }).toEqual({ exitCode: 7, requests: 1 });
    expect(stderr).toContain("run it again later (Retry-After: 90)");
  });
});

describe("an answer that does not come from the service", () => {
  const answering = (status: number, body: string, headers: Record<string, string> = {}) => ({
    transport: async () => answer(body, status, headers),
  });

  it("says that a create with a foreign 404 created nothing", async () => {
    const { exitCode, stderr } = await incident("create x.yaml", {
      ...answering(404, "<h1>Not Found</h1>"),
      files: { "x.yaml": definitionYaml() },
    });
    expect(exitCode).toBe(7);
    expect(stderr).toContain("nothing was created; run it again");
  });

  it.each([
    { message: "X-Tenant is required" },
    { error: { message: "X-Tenant is required" } },
    { title: "Forbidden", detail: "X-Tenant is required" },
  ])("shows the words of %j, which no service of the spec answers", async (body) => {
    const words = "answered 403, but not as the service does: X-Tenant is required; a proxy";
    for (const line of [`get ${id}`, "create x.yaml"]) {
      const files = { "x.yaml": definitionYaml() };
      const refused = await incident(line, { ...answering(403, JSON.stringify(body)), files });
      expect(refused.exitCode).toBe(6);
      expect(refused.stderr).toContain(words);
      expect(refused.stderr).toContain("its header x-service-account (INCIDENT_CLI_ACCOUNT_HEADER");
    }
    const read = await incident(`get ${id}`, answering(404, JSON.stringify(body)));
    expect(read.exitCode).toBe(7);
    expect(read.stderr).toContain("answered 404, but not as the service does: X-Tenant is required");
    expect(read.stderr).toContain("check the id and the account");
    const failed = await incident(`get ${id} --deadline 1s`, answering(502, JSON.stringify(body)));
    expect(failed.stderr).toContain("the service failed (502: X-Tenant is required)");
  });

  it("shows the words of another answer escaped and cut", async () => {
    const message = `\u001b[31m${"long ".repeat(200)}`;
    const { stderr } = await incident(`get ${id}`, answering(404, JSON.stringify({ message })));
    expect(stderr).toContain("the service does: \\u{1b}[31mlong long");
    expect(stderr.length).toBeLessThan(1000);
  });

  it("says of a 407 that a proxy asks for a login", async () => {
    const { exitCode, stderr } = await incident(`get ${id}`, answering(407, "login"));
    expect(exitCode).toBe(6);
    expect(stderr).toContain(
      "error: a proxy on the way asks for a login (407)\n  next: put the login into HTTPS_PROXY",
    );
  });

  it("says of a page in the place of an answer that it may be the login of a proxy", async () => {
    const page = answering(200, "<h1>Please log in</h1>", { "content-type": "text/html; charset=utf-8" });
    const { exitCode, stderr } = await incident(`get ${id}`, page);
    expect(exitCode).toBe(7);
    expect(stderr).toContain("the answer is not JSON but text/html, such as the login page of a proxy");
  });

  it("shows an HTML page as a short excerpt of its text", async () => {
    const page = `<html><style>p{}</style><script>alert(1)</script><p>Bad \u001b[31mgateway</p>${"x ".repeat(500)}`;
    const { stderr } = await incident(
      `get ${id} -o json`,
      answering(502, page, { "content-type": "text/html" }),
    );
    const { body } = JSON.parse(stderr).error.response;
    expect(body.startsWith("Bad \u001b[31mgateway x x")).toBe(true);
    expect([...body]).toHaveLength(199);
  });

  it.each([
    ["empty", "", {}],
    ["not JSON", "{", {}],
    ["a number", "1", {}],
    ["a list", "[]", {}],
    ["an incident without an id", "{}", {}],
    ["HTML", "<p>Hi</p>", { "content-type": "text/html" }],
  ])("is refused when it is %s", async (_, body, headers) => {
    const { exitCode, stdout, stderr } = await incident(`get ${id}`, answering(200, body, headers));
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: "" });
    expect(stderr).toContain("the answer is");
  });

  it("is refused when it is not UTF-8", async () => {
    const { stderr } = await incident(`get ${id}`, {
      transport: async () => ({ ...answer(""), body: new Uint8Array([0x7b, 0xff, 0x7d]) }),
    });
    expect(stderr).toContain("is not UTF-8");
  });

  it("is accepted with any content type, if the body is an incident", async () => {
    const { exitCode } = await incident(
      `get ${id}`,
      answering(200, `{"id":"${id}"}`, { "content-type": "text/plain" }),
    );
    expect(exitCode).toBe(0);
  });
});
