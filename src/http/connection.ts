// Opens the one connection of a request, directly or through a proxy's tunnel, and remembers how far it
// came: what fails in here was never sent. Every socket is kept, so that destroying leaves nothing behind.
import type { Socket } from "node:net";
import { rootCertificates, type TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import createConnector from "undici/lib/core/connect.js";
import { describeCertificates } from "./certificate.ts";
import { messageOf } from "./message.ts";
import { chooseProxy } from "./proxy.ts";
import type { Unsent } from "./transport.ts";
import { openTunnel, ProxyRefusedError } from "./tunnel.ts";

export interface Trust {
  /** Certificates in PEM that are trusted beside those Node.js is built with. */
  readonly ca?: string;
}

export interface Connection {
  readonly connect: buildConnector.connector;
  /** Destroys every socket that was opened, whatever state it is in. */
  destroy(): void;
  /** How a request ended that never got to be sent. `ended` is set when this side gave up. */
  unsent(error: unknown, ended: "timeout" | "cancelled" | undefined): Unsent;
}

// undici's connector gives back the socket it works on; its types do not say so.
type Open = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket | TLSSocket;

/** Prepares a connection to `url`; nothing is opened yet. Throws a `Failure` for unusable proxy settings. */
export function openConnection(
  url: URL,
  env: Readonly<Record<string, string | undefined>>,
  { ca }: Trust,
): Connection {
  const proxy = chooseProxy(url, env);
  const opened: Socket[] = [];
  let stage: "proxy" | "service" = proxy === undefined ? "service" : "proxy";
  let started = false;
  let destroyed = false;
  let tls: TLSSocket | undefined;
  let certificates = "";

  const open = createConnector({
    timeout: 0,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  }) as unknown as Open;
  const track: buildConnector.connector = (options, callback) => {
    if (destroyed) return callback(new Error("the request is over"), null);
    const socket = open(options, callback);
    opened.push(socket);
    if (!("authorizationError" in socket)) return;
    tls = socket;
    // Before Node judges the certificate, which closes the connection and forgets what was shown.
    socket.prependListener("secure", () => {
      certificates = describeCertificates(socket);
    });
  };

  return {
    connect(options, callback) {
      // undici opens another connection when one is lost early, and would send again what may have arrived.
      if (started) return callback(new Error("the connection was closed"), null);
      started = true;
      if (proxy === undefined) return track(options, callback);
      openTunnel(proxy, url, track)
        .then((httpSocket) => {
          stage = "service";
          track({ ...options, httpSocket }, callback);
        })
        .catch((error) => callback(error, null));
    },
    destroy() {
      destroyed = true;
      // The outermost first: Node 20 crashes when a TLS connection is destroyed after the socket beneath it.
      for (const socket of opened.toReversed()) socket.destroy();
    },
    unsent(error, ended) {
      const at = proxy && `${stage === "proxy" ? "proxy" : "through proxy"} ${proxy.shown}: `;
      const result = (reason: Unsent["reason"], text = messageOf(error)): Unsent => ({
        phase: "unsent",
        reason,
        detail: (at ?? "") + text,
      });
      if (ended !== undefined) return result(ended, ended === "timeout" ? "no connection in time" : ended);
      if (tls?.authorizationError) return result("certificate", `${messageOf(error)} (${certificates})`);
      if (error instanceof ProxyRefusedError) return result(error.status === 407 ? "proxy-login" : "proxy");
      if (stage === "proxy") return result("proxy");
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOTFOUND" || code === "EAI_AGAIN") return result("unresolved");
      return result(code === "ECONNREFUSED" ? "refused" : "connection");
    },
  };
}
