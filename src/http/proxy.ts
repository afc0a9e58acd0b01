// Chooses the proxy of a request from the environment (HTTPS_PROXY, NO_PROXY, in either letter case). undici's own
// agent is not used, because it proxies loopback and repeats credentials in its errors.
import { isIPv6 } from "node:net";
import { Failure } from "../failure.ts";
import { isLoopback } from "../platform/loopback.ts";

export interface ProxyAddress {
  readonly url: URL;
  /** Host and port without credentials, for messages. */
  readonly shown: string;
}

/** Only `https:` is proxied, because `http:` is allowed for loopback alone. Throws a `Failure` "usage". */
export function chooseProxy(
  target: URL,
  env: Readonly<Record<string, string | undefined>>,
): ProxyAddress | undefined {
  if (target.protocol !== "https:" || isLoopback(target.hostname)) return undefined;
  const name = ["https_proxy", "HTTPS_PROXY"].find((key) => env[key]?.trim());
  if (name === undefined || isExempt(target, env.no_proxy?.trim() || env.NO_PROXY || "")) return undefined;
  const url = parseProxy((env[name] as string).trim());
  if (url === undefined) {
    throw new Failure("usage", `the proxy in ${name} cannot be used`, {
      hint: `write it as a URL with scheme, host and port, such as ${name}=http://proxy.example:3128 (in a login, write special characters as %2F and the like), or unset it`,
    });
  }
  return { url, shown: url.host };
}

/**
 * Accepts a host with an optional login only. With a raw `/`, `?` or `#` in a password, the start of the password
 * would parse as the host and would appear in messages.
 */
function parseProxy(value: string): URL | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "";
  return /^https?:$/.test(url.protocol) && isBare ? url : undefined;
}

/** The Proxy-Authorization header for the credentials in the proxy's URL; empty without credentials. */
export function proxyAuthorization(proxy: ProxyAddress): Record<string, string> {
  if (proxy.url.username === "" && proxy.url.password === "") return {};
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const login = `${decode(proxy.url.username)}:${decode(proxy.url.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}

/** `list` is NO_PROXY: hosts, domains (with or without a leading dot or star) and ports; `*` matches all. */
function isExempt(target: URL, list: string): boolean {
  const port = target.port || "443";
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const match = /^\*?\.?(.+?)(?::(\d+))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry);
    if (match === null || (match[2] !== undefined && match[2] !== port)) return false;
    const domain = canonicalHost(match[1] as string);
    return target.hostname === domain || target.hostname.endsWith(`.${domain}`);
  });
}

/** The host as in a URL: lower case, an IPv6 address in its shortest form. */
function canonicalHost(host: string): string {
  return URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : host;
}
