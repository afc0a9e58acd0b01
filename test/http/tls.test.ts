// Certificates: a valid one is accepted; an invalid one is refused before anything is sent, and the message has the reason.
import { beforeAll, describe, expect, test } from "vitest";
import { isRepeatable } from "../../src/http/retry.ts";
import { send, sendAndCount } from "./attempt.ts";
import { createIdentities } from "./certificates.ts";
import { answered, ends, inBytes, response, text, useServers } from "./fault-row.ts";
import { tunnelTo } from "./proxy-server.ts";

const start = useServers();
let identities: Awaited<ReturnType<typeof createIdentities>>;
beforeAll(async () => {
  identities = await createIdentities();
});

/** Sends through a proxy, which maps the service's name to this machine. */
async function sendToService(identity: keyof typeof identities) {
  const server = await start(ends(response(text)), identities[identity]);
  const proxy = await start(tunnelTo(server.port));
  const { outcome, sends } = await sendAndCount({
    url: "https://status.example/v1",
    ca: identities.authority.cert,
    env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
  });
  await expect.poll(() => proxy.open).toBe(0);
  await expect.poll(() => server.open).toBe(0);
  return { outcome, sends, bytes: server.bytes, connects: proxy.heads.length };
}

describe("a certificate", () => {
  test("for the service, signed by an authority that is trusted, is taken", async () => {
    const { outcome, sends } = await sendToService("right");
    expect(inBytes(outcome)).toEqual(answered(200, text));
    expect(sends).toBe(1);
  });

  test.each([
    ["selfSigned", "self-signed certificate"],
    ["expired", "certificate has expired"],
    ["notYetValid", "certificate is not yet valid"],
    ["wrongHost", "does not match certificate's altnames"],
  ] as const)("that is %s is refused", async (identity, why) => {
    const { outcome, sends, bytes, connects } = await sendToService(identity);
    expect(outcome).toEqual({ phase: "unsent", reason: "tls", detail: expect.stringContaining(why) });
    expect({ sends, bytes, connects }).toEqual({ sends: 0, bytes: 0, connects: 1 });
  });

  test("is refused without a proxy as well", async () => {
    const server = await start(ends(response(text)), identities.selfSigned);
    const outcome = await send({ url: `https://localhost:${server.port}/` });
    expect(outcome).toEqual({
      phase: "unsent",
      reason: "tls",
      detail: expect.stringContaining("self-signed certificate"),
    });
    await expect.poll(() => server.open).toBe(0);
    expect(server.bytes).toBe(0);
  });
});

test("a server that speaks no TLS is unsent", async () => {
  const server = await start({ started: (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") });
  const outcome = await send({ url: `https://127.0.0.1:${server.port}/` });
  expect(outcome).toEqual({ phase: "unsent", reason: "tls", detail: "TLS failed: wrong version number" });
  expect(["GET", "POST"].some((method) => isRepeatable(method as "GET", outcome))).toBe(false);
});

test.each(["end", "destroy", "resetAndDestroy"] as const)(
  "a connection that ends within the TLS handshake (%s) is unsent",
  async (how) => {
    const server = await start({ started: (socket) => socket[how]() });
    const outcome = await send({ url: `https://127.0.0.1:${server.port}/` });
    expect(outcome).toMatchObject({ phase: "unsent", reason: "connection" });
    expect(server.connections).toBe(1);
  },
);
