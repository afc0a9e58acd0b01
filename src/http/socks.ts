// Opens a connection to the service through a SOCKS5 proxy (RFC 1928), with a login where the proxy wants one
// (RFC 1929). Loaded only where such a proxy is set.
import { lookup } from "node:dns/promises";
import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import { Socks5Client } from "undici/lib/core/socks5-client.js";
import { codeOf } from "../thrown.ts";
import { type ProxyAddress, proxyLogin } from "./proxy.ts";
import { TunnelError } from "./tunnel.ts";
import { messageOf } from "./undici-errors.ts";

/**
 * Resolves with the socket to the service, over which nothing was sent yet. `connector` opens the connection to the
 * proxy; destroying that connection ends the attempt.
 */
export async function openSocksTunnel(
  proxy: ProxyAddress,
  target: URL,
  connector: buildConnector.connector,
): Promise<Socket> {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  // With socks5h the proxy resolves the name.
  const isResolvedHere = proxy.url.protocol === "socks5:";
  const address = isResolvedHere ? (await lookup(host).catch(failToResolve)).address : host;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const { hostname, port } = proxy.url;
    connector(
      { host: proxy.url.host, hostname, port: port || "1080", protocol: "http:" },
      (...[error, opened]) => (error === null ? resolve(opened) : reject(error)),
    );
  });
  return new Promise((resolve, reject) => {
    const client = new Socks5Client(socket, proxyLogin(proxy) ?? {});
    client.on("error", (error: unknown) => reject(asProxyError(error)));
    client.on("close", () => reject(new Error("it closed the connection")));
    client.on("authenticated", () => client.connect(address, Number(target.port || "443")));
    client.on("connected", () => resolve(socket));
    client.handshake();
  });
}

function failToResolve(error: unknown): never {
  throw new TunnelError("unresolved", messageOf(error));
}

function asProxyError(error: unknown): unknown {
  const isLogin = /^UND_ERR_SOCKS5_AUTH_(REJECTED|FAILED|METHOD)$/.test(codeOf(error) ?? "");
  return isLogin ? new TunnelError("proxy-login", "it wants another login") : error;
}
