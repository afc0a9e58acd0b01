// Opens a tunnel to the service through a proxy (CONNECT), so that the proxy sees the destination of a request but
// not its content.
import type { Socket } from "node:net";
import { type ProxyAddress, proxyAuthorization } from "./proxy.ts";
import type { Unsent } from "./transport.ts";
import { Client, type Connect } from "./undici.ts";
import { messageOf } from "./undici-errors.ts";

/** The reason for which there is no tunnel, where it is not that of the connection to the proxy. */
export class TunnelError extends Error {
  override readonly name = "Tunnel";
  readonly reason: Unsent["reason"];

  constructor(reason: Unsent["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Resolves with the socket to the service. `connector` opens the connection to the proxy itself; destroying that
 * connection ends the tunnel.
 */
export function openTunnel(proxy: ProxyAddress, target: URL, connector: Connect): Promise<Socket> {
  const client = new Client(proxy.url.origin, {
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
          else
            reject(
              new TunnelError(status === 407 ? "proxy-login" : "proxy", `it answered ${status} to CONNECT`),
            );
        },
        onResponseError(_controller, error) {
          // Without undici's error code: with it, undici would open another connection.
          reject(new Error(messageOf(error), { cause: error }));
        },
      },
    );
  });
}
