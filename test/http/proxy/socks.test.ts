// A SOCKS5 proxy, with a server that this project did not write: the tunnel, its faults, and the login, which appears
// in no message.
import type { Socket } from "node:net";
import socks from "@mongodb-js/socksv5";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Attempt, send, sendAndCheck } from "../attempt.ts";
import { createIdentities, serviceHost } from "../certificates.ts";
import { answered, ends, inBytes, response, text, useServers } from "../fault-row.ts";
import { closedPort, listen } from "../fault-server.ts";

const start = useServers();
let identities: Awaited<ReturnType<typeof createIdentities>>;
type Login = Readonly<Record<"user" | "password", string>>;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  identities = await createIdentities();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((proxy) => proxy.stop()));
});

/** A proxy that connects every destination to `targetPort`, or refuses it. `asked` are the destinations. */
async function startSocks(targetPort: number | "deny", login?: Login) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = socks.createServer((info, accept, deny) => {
    asked.push(`${info.dstAddr}:${info.dstPort}`);
    if (targetPort === "deny") return deny();
    info.dstAddr = "127.0.0.1";
    info.dstPort = targetPort;
    accept();
  });
  server.useAuth(
    login === undefined
      ? socks.auth.None()
      : socks.auth.UserPassword((user, password, done) =>
          done(user === login.user && password === login.password),
        ),
  );
  server._srv.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server._srv);
  const proxy = {
    port,
    asked,
    get open() {
      return sockets.size;
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      proxy.drop();
      await new Promise<void>((resolve) => server._srv.close(() => resolve()));
    },
  };
  running.push(proxy);
  return proxy;
}

function through(proxy: string, url = `https://${serviceHost}/v1`): Attempt {
  return { url, ca: identities.authority.cert, env: { ALL_PROXY: proxy } };
}

const login = { user: "proxy-user", password: "proxy-pa/ss" };
const loginInUrl = "proxy-user:proxy-pa%2Fss";

describe("a SOCKS proxy", () => {
  test.each([
    ["without a login", undefined, ""],
    ["with a login", login, `${loginInUrl}@`],
  ])("carries the request to the host that it resolves, %s", async (_, wanted, credentials) => {
    const server = await start(ends(response(text)), identities.right);
    const proxy = await startSocks(server.port, wanted);
    const outcome = await sendAndCheck(through(`socks5h://${credentials}127.0.0.1:${proxy.port}`), [
      server,
      proxy,
    ]);
    expect(inBytes(outcome)).toEqual(answered(200, text));
    expect(proxy.asked).toEqual([`${serviceHost}:443`]);
    expect(server.requests).toBe(1);
  });

  test("gets an address where this machine resolves the host, and the certificate is checked", async () => {
    const server = await start(ends(response(text)), identities.right);
    const proxy = await startSocks(server.port);
    const outcome = await sendAndCheck(
      through(`socks5://127.0.0.1:${proxy.port}`, "https://192.0.2.1:8443/v1"),
      [server, proxy],
    );
    expect(outcome).toMatchObject({ phase: "unsent", reason: "certificate" });
    expect(proxy.asked).toEqual(["192.0.2.1:8443"]);
    expect(server.requests).toBe(0);
  });

  test("is not asked where this machine cannot resolve the host", async () => {
    const proxy = await startSocks("deny");
    const outcome = await sendAndCheck(through(`socks5://127.0.0.1:${proxy.port}`), [proxy]);
    expect(outcome).toMatchObject({ phase: "unsent", reason: "unresolved" });
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    ["another login", "proxy-user:proxy-secret@"],
    ["no login", ""],
  ])("that gets %s and wants one refuses, and the login is not shown", async (_, credentials) => {
    const proxy = await startSocks("deny", login);
    const outcome = await sendAndCheck(through(`socks5h://${credentials}127.0.0.1:${proxy.port}`), [proxy]);
    expect(outcome).toMatchObject({ phase: "unsent", reason: "proxy-login" });
    expect(JSON.stringify(outcome)).not.toMatch(/proxy-(user|pass|pa|secret)/);
  });

  test("that refuses the destination ends the attempt", async () => {
    const proxy = await startSocks("deny");
    const outcome = await sendAndCheck(through(`socks5h://127.0.0.1:${proxy.port}`), [proxy]);
    expect(outcome).toEqual({
      phase: "unsent",
      reason: "proxy",
      detail: `proxy 127.0.0.1:${proxy.port}: it closed the connection`,
    });
  });

  test("that takes no connections is named", async () => {
    const port = await closedPort();
    expect(await send(through(`socks5h://127.0.0.1:${port}`))).toMatchObject({
      phase: "unsent",
      reason: "proxy",
      detail: expect.stringContaining(`proxy 127.0.0.1:${port}: connect ECONNREFUSED`),
    });
  });

  test.each([
    ["never answers", [], "timeout", "it could not be sent in time"],
    ["speaks HTTP", ["HTTP/1.1 400 Bad Request\r\n\r\n"], "proxy", "Invalid SOCKS version: 72"],
    ["stalls after the greeting", ["\x05\x00"], "timeout", "it could not be sent in time"],
    [
      "cannot connect",
      ["\x05\x00", "\x05\x05\x00\x01\0\0\0\0\0\0"],
      "proxy",
      "SOCKS5 connection failed: Connection refused",
    ],
  ])("that %s ends by the deadline, without an open connection", async (_, answers, reason, detail) => {
    const left = [...answers];
    const proxy = await start({
      accepted: (socket) => socket.on("data", () => socket.write(Buffer.from(left.shift() ?? "", "latin1"))),
    });
    const { port } = proxy;
    const attempt = { ...through(`socks5h://127.0.0.1:${port}`), deadline: 1_000 };
    expect(await sendAndCheck(attempt, [proxy])).toEqual({
      phase: "unsent",
      reason,
      detail: `proxy 127.0.0.1:${port}: ${detail}`,
    });
  });

  test("that closes the tunnel after the request leaves it unanswered", async () => {
    let drop = () => undefined as unknown;
    const server = await start({ requested: () => drop() }, identities.right);
    const proxy = await startSocks(server.port);
    drop = proxy.drop;
    const outcome = await send(through(`socks5h://127.0.0.1:${proxy.port}`));
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(server.requests).toBe(1);
  });
});
