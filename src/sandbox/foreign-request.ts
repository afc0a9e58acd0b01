// Refuses requests that a page of another site makes a browser send. Such a page can point a name of its own at this
// machine (DNS rebinding), or post to the sandbox without reading the answer.
import { isIP } from "node:net";

type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Undefined for a request to this sandbox. `host` is the address that the sandbox listens on, as it was given. */
export function refuseForeign(headers: RequestHeaders, host: string) {
  const given = String(headers.host ?? "");
  const name = hostnameOf(given);
  if (name === undefined || !isOwnName(name, host)) {
    return {
      status: 421,
      message: `this sandbox does not answer for the host "${printable(given)}"; use the URL that it printed`,
    };
  }
  if (isFromOtherSite(headers, given)) {
    return { status: 403, message: "this sandbox does not answer requests from pages of other sites" };
  }
  return undefined;
}

/** The port is not compared, because a forwarded one differs. */
function hostnameOf(host: string): string | undefined {
  if (host === "" || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, pathname, username } = new URL(`http://${host}`);
  return pathname === "/" && username === "" ? hostname.replace(/^\[|\]$/g, "") : undefined;
}

/** An attacker controls names of the DNS, but no address and no name without a dot. */
function isOwnName(name: string, listening: string): boolean {
  if (isIP(name) !== 0 || name === "localhost" || name === listening.toLowerCase()) return true;
  const isOnAllInterfaces = listening === "0.0.0.0" || listening === "::";
  return isOnAllInterfaces && !name.includes(".");
}

/** A link to the status page from another site is no harm. Only browsers send these headers. */
function isFromOtherSite(headers: RequestHeaders, host: string): boolean {
  const { origin } = headers;
  if (origin !== undefined) return origin !== `http://${host}` && origin !== `https://${host}`;
  const site = headers["sec-fetch-site"];
  return (site === "cross-site" || site === "same-site") && headers["sec-fetch-mode"] !== "navigate";
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
}
