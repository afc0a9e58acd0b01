import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { RequestLogEntry } from "../../src/sandbox/app.ts";
import { type SandboxServer, serveSandbox } from "../../src/sandbox/server.ts";
import { sendOverSocket } from "../harness/socket-transport.ts";
import {
  createBody,
  createRequest,
  getRequest,
  incidentId,
  openSandbox,
  type TestOptions,
} from "./requests.ts";

const control = { deadline: 5000 };
let server: SandboxServer;

async function open(options: TestOptions = {}) {
  const { sandbox } = openSandbox(options);
  server = await serveSandbox(sandbox);
  return sandbox;
}

afterEach(() => server.close());

describe("faults on a socket", () => {
  it("a dropped connection is reset", async () => {
    const sandbox = await open({ faults: ["create:drop-after-commit"] });
    const outcome = await sendOverSocket(createRequest(createBody, server.url), control);
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(sandbox.statistics()).toMatchObject({ requests: 1, created: 1 });
  });

  it("a truncated body is shorter than its Content-Length", async () => {
    await open({ faults: ["create:truncated"] });
    const outcome = await sendOverSocket(createRequest(createBody, server.url), control);
    expect(outcome).toMatchObject({ phase: "answered", status: 201, bodyError: "truncated" });
  });

  it("no-answer keeps the connection open until the client leaves, and reports that", async () => {
    let report: (entry: RequestLogEntry) => void = () => undefined;
    const reported = new Promise<RequestLogEntry>((resolve) => {
      report = resolve;
    });
    await open({ faults: ["create:no-answer"], onRequest: report });
    const outcome = await sendOverSocket(createRequest(createBody, server.url), { deadline: 1000 });
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "timeout" });
    expect(await reported).toMatchObject({ status: "left", fault: "create:no-answer" });
  });

  it("close ends open connections", async () => {
    await open({ faults: ["any:no-answer"] });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await new Promise<void>((resolve) =>
      socket.write("GET /v1 HTTP/1.1\r\nhost: localhost\r\n\r\n", () => resolve()),
    );
    await server.close();
    await closed;
    await expect(sendOverSocket(getRequest("/", server.url), control)).resolves.toMatchObject({
      reason: "reset",
    });
  });
});

describe("requests on a socket", () => {
  it("accepts header names in any letter case", async () => {
    await open();
    const { headers, ...request } = createRequest({ ...createBody, id: incidentId }, server.url);
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await sendOverSocket({ ...request, headers: shouted }, control)).toMatchObject({ status: 201 });
  });

  it("responds to HEAD without a body", async () => {
    await open();
    const outcome = await sendOverSocket(
      { ...getRequest("/openapi.json", server.url), method: "HEAD" },
      control,
    );
    expect(outcome).toMatchObject({ status: 405, headers: { allow: "GET" }, body: Buffer.alloc(0) });
  });

  it("refuses a body that exceeds the size limit", async () => {
    await open();
    const outcome = await sendOverSocket(createRequest(Buffer.alloc(8 * 1024 * 1024), server.url), control);
    expect(outcome).toMatchObject({ phase: "answered", status: 413 });
  });

  it("survives a client that disconnects during the request body", async () => {
    await open();
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(
      "POST /v1/status-pages/incidents HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{",
      () => socket.destroy(),
    );
    await closed;
    expect(await sendOverSocket(getRequest("/openapi.json", server.url), control)).toMatchObject({
      status: 200,
    });
  });

  it("responds with 500 if the sandbox throws", async () => {
    const { sandbox } = openSandbox();
    const transport = () => Promise.reject(new Error("broken"));
    server = await serveSandbox({ ...sandbox, transport });
    const outcome = await sendOverSocket(getRequest("/openapi.json", server.url), control);
    expect(outcome).toMatchObject({ phase: "answered", status: 500 });
  });
});
