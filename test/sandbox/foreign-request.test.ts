// A page of another site that has a name for this machine can neither read from the sandbox nor post to it.
import { afterEach, describe, expect, it } from "vitest";
import { type SandboxServer, serveSandbox } from "../../src/sandbox/server.ts";
import { sendOverSocket } from "../harness/socket-transport.ts";
import { createBody, createRequest, getRequest, openSandbox } from "./requests.ts";

let server: SandboxServer | undefined;
afterEach(() => server?.close());

describe("the sandbox on a socket", () => {
  it.each([["a name that resolves to this machine", { host: "evil.example:8080" }, 421, "use the URL"]])(
    "refuses %s, and creates nothing",
    async (_, headers, status, message) => {
      const { sandbox } = openSandbox();
      server = await serveSandbox(sandbox);
      for (const request of [createRequest(createBody, server.url), getRequest("/", server.url)]) {
        const outcome = await sendOverSocket(
          { ...request, headers: { ...request.headers, ...headers } },
          { deadline: 5000 },
        );
        expect(outcome).toMatchObject({ phase: "answered", status });
        expect(Buffer.from((outcome as { body: Uint8Array }).body).toString()).toContain(message);
      }
      expect(sandbox.statistics()).toMatchObject({ requests: 0, created: 0 });
    },
  );

  it.each([
    [{}, 200],
    [{ host: "localhost:3000" }, 200],
    [{ host: "LOCALHOST:80" }, 200],
    [{ host: "sandbox:8080" }, 421],
    [{ host: "localhost.evil.example" }, 421],
    [{ host: "localhost@evil.example" }, 421],
    [{ host: "evil.example#127.0.0.1" }, 421],
  ])("with the headers %j is answered with %i", async (headers, status) => {
    server = await serveSandbox(openSandbox().sandbox);
    const request = getRequest("/", server.url);
    const outcome = await sendOverSocket(
      { ...request, headers: { ...request.headers, ...headers } },
      { deadline: 5000 },
    );
    expect(outcome).toMatchObject({ phase: "answered", status });
  });
});
