// A way through a proxy: asks it with CONNECT for a tunnel to the service, so that the proxy sees where a request
// goes and nothing else of it.
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import Client from "undici/lib/dispatcher/client.js";
import { messageOf } from "./message.ts";
import { type ProxyAddress, proxyAuthorization } from "./proxy.ts";

/** The proxy answered CONNECT, and not with a tunnel. */
export class ProxyRefusedError extends Error {
  override readonly name = "ProxyRefusal";
  readonly status: number;

  constructor(status: number) {
    super(`it answered ${status} to CONNECT`);
    this.status = status;
  }
}

/**
 * Resolves with the socket that leads to the service. `connect` opens the connection to the proxy itself, and
 * whoever destroys that ends all.
 */
export function openTunnel(
  proxy: ProxyAddress,
  target: URL,
  connect: buildConnector.connector,
): Promise<Socket> {
  const client = new Client(proxy.url.origin, {
    // undici takes the server's name from the Host header, which names the service and not the proxy.
    connect: ({ servername: _, ...options }, callback) => connect(options, callback),
    headersTimeout: 0,
  });
  const authority = `${target.hostname}:${target.port || "443"}`;
  const headers = { host: authority, ...proxyAuthorization(proxy) };
  return new Promise((resolve, reject) => {
    client.dispatch(
      { method: "CONNECT", path: authority, headers },
      {
        // undici knows a handler by this method.
        onRequestStart() {},
        onRequestUpgrade(_controller, status, _headers, socket) {
          if (status >= 200 && status < 300) resolve(socket as Socket);
          else reject(new ProxyRefusedError(status));
        },
        onResponseError(_controller, error) {
          // Without undici's code, by which it would take a closed connection for a reason to open another.
          reject(new Error(messageOf(error), { cause: error }));
        },
      },
    );
  });
}
