// Opens the connection of one request, directly or through a proxy's tunnel, and records how far it got: a failure here
// means that nothing was sent. It keeps every socket, so that `destroy` leaves none open.

import type { Socket } from "node:net";
import { rootCertificates, type TLSSocket } from "node:tls";
import { codeOf } from "../failure.ts";
import { chooseProxy, proxyAuthorization } from "./proxy.ts";
import type { Unsent } from "./transport.ts";
import { Client, type Connect, createSocketOpener, detailOf, isPlainText } from "./undici.ts";

export type Connection = ReturnType<typeof createConnection>;

/** Opens nothing yet. `ca`: PEM certificates to trust beside the roots of Node.js. Throws a `Failure` for an unusable proxy. */
export function createConnection(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
  ca: string | undefined,
) {
  const proxy = chooseProxy(url, env);
  const sockets: Socket[] = [];
  let stage: "proxy" | "service" = proxy === undefined ? "service" : "proxy";
  let started = false;
  let destroyed = false;
  let tls: TLSSocket | undefined;

  const openSocket = createSocketOpener({
    timeout: 0,
    // No TCP probes: each request has a deadline, and a connection is idle for seconds only.
    keepAlive: false,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  });
  const connectSocket: Connect = (options, callback) => {
    if (destroyed) return callback(new Error("the request is over"), null);
    // With its first connection, undici builds its parser.
    const socket = openSocket(options, (...result) => withoutTiering(() => callback(...result)));
    sockets.push(socket);
    if ("authorizationError" in socket) tls = socket;
  };

  const reasonOf = (error: unknown): Unsent["reason"] => {
    const code = codeOf(error);
    if (tls?.authorizationError) return "tls";
    if (stage === "proxy") return code === needsLogin ? "proxy-login" : "proxy";
    if (isPlainText(error)) return "tls";
    return code === "ENOTFOUND" || code === "EAI_AGAIN" ? "unresolved" : "connection";
  };

  /** Opens the sockets, at most once; undici calls it. */
  const connector: Connect = (options, callback) => {
    // undici opens another connection after an early loss, and would send a request twice that may have arrived.
    if (started) return callback(new Error("the connection was closed"), null);
    started = true;
    if (proxy === undefined) return connectSocket(options, callback);
    openTunnel(proxy, url, connectSocket)
      .then((httpSocket) => {
        stage = "service";
        connectSocket({ ...options, httpSocket }, callback);
      })
      .catch((error) => callback(error, null));
  };

  return {
    connector,
    /**
     * Closes every socket. `isAbandoned`: a request was sent and not answered. A reset tells the other side that nobody
     * waits, so that less of it is carried out late. Node.js cannot reset a TLS connection.
     */
    destroy(isAbandoned = false): void {
      destroyed = true;
      // Destroys the outermost first: Node.js 20 crashes when a TLS connection is destroyed after the socket beneath it.
      for (const socket of sockets.toReversed()) {
        if (isAbandoned && !("authorizationError" in socket)) socket.resetAndDestroy();
        else socket.destroy();
      }
    },
    /** The outcome of a request that was not sent. `ended` is set when this side ended it. */
    unsent(error: unknown, ended: "timeout" | "cancelled" | undefined): Unsent {
      const at = proxy && `${stage === "proxy" ? "proxy" : "through proxy"} ${proxy.host}: `;
      const text = ended === "timeout" ? "it could not be sent in time" : detailOf(error);
      return { phase: "unsent", reason: ended ?? reasonOf(error), detail: (at ?? "") + text };
    },
  };
}

/** The code of an error of a proxy that asks for a login. */
const needsLogin = "PROXY_LOGIN";

/** Opens a tunnel (CONNECT) through a proxy, which does not see the content. It ends with the connection of `connector`. */
function openTunnel(proxy: URL, target: URL, connector: Connect): Promise<Socket> {
  const client = new Client(proxy.origin, {
    // undici derives the server name from the Host header, which names the service, not the proxy.
    connect: ({ servername: _, ...options }, callback) => connector(options, callback),
    headersTimeout: 0,
  });
  const authority = `${target.hostname}:${target.port || "443"}`;
  const headers = { host: authority, ...proxyAuthorization(proxy) };
  return new Promise((resolve, reject) => {
    client.dispatch(
      { method: "CONNECT", path: authority, headers },
      {
        // undici recognizes a handler by this method.
        onRequestStart() {},
        onRequestUpgrade(_controller, status, _headers, socket) {
          if (status >= 200 && status < 300) resolve(socket as Socket);
          else {
            const refusal = new Error(`it answered ${status} to CONNECT`);
            reject(status === 407 ? Object.assign(refusal, { code: needsLogin }) : refusal);
          }
        },
        onResponseError(_controller, error) {
          // Without undici's error code: with it, undici would open another connection.
          reject(new Error(detailOf(error), { cause: error }));
        },
      },
    );
  });
}

/** V8's default, by its version, for how many steps of a WebAssembly function run before V8 optimizes it. */
const usualBudgets: Readonly<Record<number, number>> = { 11: 1_800_000, 12: 13_000_000, 13: 13_000_000 };

/**
 * V8 does not optimize undici's WebAssembly parser: that takes longer than it saves, and Node.js waits for it at exit. V8
 * reads the budget when the parser is built. It is reset before anything else can load: V8 rejects cached code that it
 * compiled under other flags.
 */
export function withoutTiering(use: () => void): void {
  const { setFlagsFromString } = process.getBuiltinModule("v8");
  const usual = usualBudgets[Number.parseInt(process.versions.v8, 10)];
  const setBudget = (budget: number) => {
    if (usual !== undefined) setFlagsFromString(`--wasm-tiering-budget=${budget}`);
  };
  setBudget(1_000_000_000);
  try {
    use();
  } finally {
    setBudget(usual ?? 0);
  }
}
