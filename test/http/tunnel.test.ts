// Certificates, TLS and proxies: an invalid certificate is refused before anything is sent. A request counts as unsent until the tunnel leads to the service, and the proxy's credentials
// appear in no message.
import { beforeAll, describe, expect, test } from "vitest";
import { isRepeatable } from "../../src/http/retry.ts";
import { type Attempt, send, sendAndCheck } from "./attempt.ts";
import { createIdentities, proxyHost, serviceHost } from "./certificates.ts";
import { answered, answers, ends, inBytes, response, short, text, useServers } from "./fault-row.ts";
import { type Behaviour, closedPort } from "./fault-server.ts";
import { established, tunnelTo } from "./proxy-server.ts";

const login = "proxy-user:proxy-pa/ss";
const loginInUrl = "proxy-user:proxy-pa%2Fss";
const start = useServers();
let identities: Awaited<ReturnType<typeof createIdentities>>;

beforeAll(async () => {
  identities = await createIdentities();
});

/** A service, and a proxy: by default one that opens tunnels to it, which maps its name to this machine. */
async function startBoth(
  proxied?: Behaviour,
  behaviour: Behaviour = ends(response(text)),
  identity: keyof typeof identities = "right",
) {
  const server = await start(behaviour, identities[identity]);
  return { server, proxy: await start(proxied ?? tunnelTo(server.port, login)) };
}

function through(port: number, credentials = loginInUrl): Omit<Attempt, "method"> {
  return {
    url: `https://${serviceHost}/v1`,
    ca: identities.authority.cert,
    env: { HTTPS_PROXY: `http://${credentials}@127.0.0.1:${port}` },
  };
}

describe("a proxy that opens a tunnel", () => {
  test("gets the destination and the login but no part of the request", async () => {
    const { server, proxy } = await startBoth();
    const outcome = await sendAndCheck(through(proxy.port), [server, proxy]);
    expect(inBytes(outcome)).toEqual(answered(200, text));
    expect(server.requests).toBe(1);
    expect(proxy.heads).toHaveLength(1);
    expect(proxy.heads[0]).toMatch(
      /^CONNECT status\.example:443 HTTP\/1\.1\r\nhost: status\.example:443\r\n/,
    );
    expect(proxy.heads[0]).not.toContain("key-of-this-test");
  });

  test("can itself be reached over TLS, under its own name", async () => {
    const server = await start(ends(response(text)), identities.right);
    const proxy = await start(tunnelTo(server.port), identities.proxy);
    const env = { HTTPS_PROXY: `https://${proxyHost}:${proxy.port}` };
    const outcome = await sendAndCheck({ ...through(0), env }, [server, proxy]);
    expect(inBytes(outcome)).toEqual(answered(200, text));
  });

  test("is refused and named when its own certificate is not trusted", async () => {
    const server = await start(ends(response(text)), identities.right);
    const proxy = await start(tunnelTo(server.port), identities.expired);
    const env = { HTTPS_PROXY: `https://${proxyHost}:${proxy.port}` };
    expect(await send({ ...through(0), env })).toEqual({
      phase: "unsent",
      reason: "tls",
      detail: expect.stringMatching(new RegExp(`^proxy ${proxyHost}:${proxy.port}: certificate has expired`)),
    });
    expect(proxy.heads).toEqual([]);
  });

  test("leaves the request unanswered when it closes the tunnel after the request", async () => {
    let drop = () => undefined as unknown;
    const { server, proxy } = await startBoth(undefined, { requested: () => drop() });
    drop = proxy.drop;
    const outcome = await sendAndCheck(through(proxy.port), [server, proxy]);
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(server.requests).toBe(1);
    expect(proxy.heads).toHaveLength(1);
  });

  test("is open when the request is found to be in time", async () => {
    const { server, proxy } = await startBoth();
    const isOverdue = () => server.connections === 0;
    expect(await send({ ...through(proxy.port), isOverdue })).toMatchObject({ status: 200 });
  });
});

const rows: [fault: string, proxy: Behaviour, reason: string, detail: RegExp, deadline?: number][] = [
  ["wants another login", tunnelTo(0, "other:login"), "proxy-login", /407/],
  ["refuses with 403", ends("HTTP/1.1 403 Forbidden\r\ncontent-length: 3\r\n\r\nno!"), "proxy", /403/],
  ["refuses with 502", ends("HTTP/1.1 502 Bad Gateway\r\n\r\n"), "proxy", /502/],
  ["redirects", ends("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n"), "proxy", /302/],
  ["speaks garbage", ends("\u0005\u0000\r\n"), "proxy", /HTTP/],
  ["closes within its answer", ends("HTTP/1.1 200 Conn"), "proxy", /other side closed/],
  ["ignores CONNECT", {}, "timeout", /in time/, short],
  ["drops after CONNECT", { requested: (socket) => socket.destroy() }, "proxy", /other side closed/],
  [
    "drops in the handshake",
    {
      requested(socket) {
        socket.write(established);
        socket.once("data", () => socket.destroy());
      },
    },
    "connection",
    /disconnected|closed|ECONNRESET/,
  ],
  ["stalls within the tunnel's handshake", answers(established), "timeout", /in time/, short],
];

describe("a request is unsent through a proxy that", () => {
  test.each(rows)("%s", async (_, proxied, reason, detail, deadline = 60_000) => {
    const { server, proxy } = await startBoth(proxied);
    const outcome = await sendAndCheck({ ...through(proxy.port), deadline }, [server, proxy]);
    expect(outcome).toEqual({ phase: "unsent", reason, detail: expect.stringMatching(detail) });
    expect(outcome).toHaveProperty("detail", expect.stringContaining(`proxy 127.0.0.1:${proxy.port}: `));
    expect(JSON.stringify(outcome)).not.toMatch(/proxy-user|proxy-pa/);
    expect(proxy.heads).toHaveLength(1);
    expect(server.connections).toBe(0);
  });

  test("does not listen", async () => {
    const port = await closedPort();
    const outcome = await sendAndCheck(through(port), []);
    expect(outcome).toEqual({
      phase: "unsent",
      reason: "proxy",
      detail: `proxy 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });

  test("does not listen on any address of its name", async () => {
    const env = { HTTPS_PROXY: `http://localhost:${await closedPort()}` };
    const outcome = await sendAndCheck({ ...through(0), env }, []);
    expect(outcome).toMatchObject({ reason: "proxy", detail: expect.stringContaining("ECONNREFUSED") });
  });

  test("ignores CONNECT until the request is cancelled", async () => {
    const { server, proxy } = await startBoth({});
    const abort = new AbortController();
    const sending = sendAndCheck({ ...through(proxy.port), signal: abort.signal }, [server, proxy]);
    await expect.poll(() => proxy.heads.length).toBe(1);
    abort.abort();
    expect(await sending).toMatchObject({ phase: "unsent", reason: "cancelled" });
  });
});

describe("a certificate", () => {
  test.each([
    ["selfSigned", "self-signed certificate"],
    ["expired", "certificate has expired"],
    ["notYetValid", "certificate is not yet valid"],
    ["wrongHost", "does not match certificate's altnames"],
  ] as const)("that is %s is refused", async (identity, why) => {
    const { server, proxy } = await startBoth(undefined, undefined, identity);
    const outcome = await sendAndCheck(through(proxy.port), [server, proxy]);
    expect(outcome).toEqual({ phase: "unsent", reason: "tls", detail: expect.stringContaining(why) });
    expect({ bytes: server.bytes, connects: proxy.heads.length }).toEqual({ bytes: 0, connects: 1 });
  });

  test("is refused without a proxy as well", async () => {
    const server = await start(ends(response(text)), identities.selfSigned);
    const outcome = await sendAndCheck({ url: `https://localhost:${server.port}/` }, [server]);
    const detail = expect.stringContaining("self-signed certificate");
    expect(outcome).toEqual({ phase: "unsent", reason: "tls", detail });
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

test("unusable settings reject with a usage failure before any connection", async () => {
  const sending = send({
    url: "https://status.example/",
    env: { HTTPS_PROXY: "http://proxy-user:proxy-pass/@proxy:1" },
  });
  await expect(sending).rejects.toMatchObject({
    kind: "usage",
    message: "the proxy in HTTPS_PROXY cannot be used",
  });
});
