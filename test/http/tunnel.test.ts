// Faults of a proxy. A request counts as unsent until the tunnel leads to the service, and the proxy's credentials
// appear in no message.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Attempt, send, sendAndCheck } from "./attempt.ts";
import { createIdentities, proxyHost, serviceHost } from "./certificates.ts";
import { answered, ends, inBytes, response, short, text, useServers } from "./fault-row.ts";
import { type Behaviour, closedPort } from "./fault-server.ts";
import { type ProxyBehaviour, type ProxyServer, startProxy } from "./proxy-server.ts";

const login = "proxy-user:proxy-pa/ss";
const loginInUrl = "proxy-user:proxy-pa%2Fss";
const start = useServers();
let identities: Awaited<ReturnType<typeof createIdentities>>;
const proxies: ProxyServer[] = [];

beforeAll(async () => {
  identities = await createIdentities();
});
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});

async function startBoth(proxied: ProxyBehaviour, behaviour: Behaviour = ends(response(text))) {
  const server = await start(behaviour, identities.right);
  const proxy = await startProxy(proxied, server.port);
  proxies.push(proxy);
  return { server, proxy };
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
    const { server, proxy } = await startBoth({ kind: "tunnel", login });
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
    const proxy = await startProxy({ kind: "tunnel" }, server.port, identities.proxy);
    proxies.push(proxy);
    const env = { HTTPS_PROXY: `https://${proxyHost}:${proxy.port}` };
    const outcome = await sendAndCheck({ ...through(0), env }, [server, proxy]);
    expect(inBytes(outcome)).toEqual(answered(200, text));
  });

  test("is refused and named when its own certificate is not trusted", async () => {
    const server = await start(ends(response(text)), identities.right);
    const proxy = await startProxy({ kind: "tunnel" }, server.port, identities.expired);
    proxies.push(proxy);
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
    const { server, proxy } = await startBoth({ kind: "tunnel", login }, { requested: () => drop() });
    drop = proxy.drop;
    const outcome = await sendAndCheck(through(proxy.port), [server, proxy]);
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(server.requests).toBe(1);
    expect(proxy.heads).toHaveLength(1);
  });

  test("is subject to the deadline", async () => {
    const { server, proxy } = await startBoth({ kind: "tunnel", login }, {});
    const outcome = await sendAndCheck({ ...through(proxy.port), deadline: 1_000 }, [server, proxy]);
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "timeout" });
  });

  test("is open when the request is found to be in time", async () => {
    const { server, proxy } = await startBoth({ kind: "tunnel", login });
    const isOverdue = () => server.connections === 0;
    expect(await send({ ...through(proxy.port), isOverdue })).toMatchObject({ status: 200 });
  });
});

const says = (text: string): ProxyBehaviour => ({ kind: "answer", text });
const rows: [fault: string, proxy: ProxyBehaviour, reason: string, detail: RegExp, deadline?: number][] = [
  ["wants another login", { kind: "tunnel", login: "other:login" }, "proxy-login", /407/],
  ["refuses with 403", says("HTTP/1.1 403 Forbidden\r\ncontent-length: 3\r\n\r\nno!"), "proxy", /403/],
  ["refuses with 502", says("HTTP/1.1 502 Bad Gateway\r\n\r\n"), "proxy", /502/],
  ["redirects", says("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n"), "proxy", /302/],
  ["speaks garbage", says("\u0005\u0000\r\n"), "proxy", /HTTP/],
  ["closes within its answer", says("HTTP/1.1 200 Conn"), "proxy", /other side closed/],
  ["ignores CONNECT", { kind: "swallow" }, "timeout", /in time/, short],
  ["drops after CONNECT", { kind: "drop" }, "proxy", /other side closed/],
  ["drops in the handshake", { kind: "drop-in-tunnel" }, "connection", /disconnected|closed|ECONNRESET/],
  ["stalls within the tunnel's handshake", { kind: "stall-in-tunnel" }, "timeout", /in time/, short],
];

describe("a request is unsent through a proxy that", () => {
  test.each(rows)("%s", async (_, proxied, reason, detail, deadline = 5_000) => {
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
    const { server, proxy } = await startBoth({ kind: "swallow" });
    const abort = new AbortController();
    const sending = sendAndCheck({ ...through(proxy.port), signal: abort.signal }, [server, proxy]);
    await expect.poll(() => proxy.heads.length).toBe(1);
    abort.abort();
    expect(await sending).toMatchObject({ phase: "unsent", reason: "cancelled" });
  });
});

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
