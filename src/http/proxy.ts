// Chooses the proxy of a request from the environment (HTTPS_PROXY, ALL_PROXY, NO_PROXY, in either letter case). undici's own
// agent is not used, because it proxies loopback and repeats credentials in its errors.

import { isIPv6 } from "node:net";
import { Failure } from "../failure.ts";
import { isLoopback } from "../platform/loopback.ts";
import { decodePercent } from "../untrusted-data.ts";

const variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] as const;

/** Only `https:` is proxied, because `http:` is allowed for loopback alone. Throws a `Failure` "usage". */
export function chooseProxy(target: URL, env: Readonly<Record<string, string | undefined>>): URL | undefined {
  if (target.protocol !== "https:" || isLoopback(target.hostname)) return undefined;
  const name = variables.find((key) => env[key]?.trim());
  if (name === undefined || isExempt(target, env.no_proxy?.trim() || env.NO_PROXY || "")) return undefined;
  const value = (env[name] as string).trim();
  const url = parseProxy(value);
  if (url === undefined) {
    const problem = /^socks\w*:/i.test(value) ? "is a SOCKS proxy, which is not supported" : "cannot be used";
    throw new Failure("usage", `the proxy in ${name} ${problem}`, {
      hint: `write it as a URL with http or https as its scheme, a host and a port, such as ${name}=http://proxy.example:3128 (in a login, write special characters as %2F and the like), or unset it`,
    });
  }
  return url;
}

/** Takes a scheme, a login, a host and a port alone: after a raw `/`, `?` or `#` in a password, its start would be the host. */
function parseProxy(value: string): URL | undefined {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isBare = /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "";
  if (!isBare || url.hostname === "") return undefined;
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

export function proxyAuthorization(url: URL): Record<string, string> {
  if (url.username === "" && url.password === "") return {};
  const username = decodePercent(url.username) ?? url.username;
  const password = decodePercent(url.password) ?? url.password;
  const credentials = Buffer.from(`${username}:${password}`).toString("base64");
  return { "proxy-authorization": `Basic ${credentials}` };
}

/** `list` is NO_PROXY: hosts, domains (with or without a leading dot or star, or a last dot) and ports; `*` matches all. */
function isExempt(target: URL, list: string): boolean {
  const port = target.port || "443";
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const match = /^\*?\.?(.+?)\.?(?::(\d+))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry);
    if (match === null || (match[2] !== undefined && match[2] !== port)) return false;
    const host = match[1] as string;
    const domain = URL.canParse(`https://${host}`) ? new URL(`https://${host}`).hostname : host;
    return target.hostname === domain || target.hostname.endsWith(`.${domain}`);
  });
}
