// The rules of a base URL: the address below which /v1 is served, to which a key can be sent.
import { Failure } from "../failure.ts";
import { isLoopback } from "../platform/loopback.ts";
import { type Setting, withValue } from "./setting.ts";

/** Without a trailing slash. Throws a `Failure` "usage". */
export function checkBaseUrl(setting: Setting<string>): Setting<string> {
  const { value } = setting;
  const refuse = (message: string, hint: string) =>
    new Failure("usage", `the base URL from ${setting.origin} ${message}`, { hint });
  // Of `localhost:4999`, a URL takes the host for the scheme.
  if (!/^[a-z]+:\/\//i.test(value) || !URL.canParse(value))
    throw refuse("is not a URL", "write it with its scheme, such as https://api.example.com");
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") {
    throw refuse("has a login in it", "remove it: the API key is the only credential");
  }
  // A bare `?` or `#` leaves no search and no hash, and would end the path before the one of a request.
  if (/[?#]/.test(url.href)) {
    throw refuse("has a query or a fragment", "end it with the path under which /v1 is served");
  }
  const plain = url.href.replace(/\/+$/, "");
  // Every path begins with the version (spec 9).
  const [segment] = /\/v\d+(?:\/status-pages(?:\/.*)?)?$/i.exec(new URL(plain).pathname) ?? [];
  if (segment !== undefined)
    throw refuse(
      `ends with ${segment}, and every path begins with /v1`,
      `write it without that: ${plain.slice(0, -segment.length)}`,
    );
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw refuse(
      `would send the key unencrypted (${url.protocol}//${url.host})`,
      "use https://; only addresses of this machine can use http://",
    );
  }
  return withValue(setting, plain);
}

export function sameUrl(one: Setting<string> | undefined, other: Setting<string> | undefined): boolean {
  const normalized = (setting: Setting<string> | undefined) => setting?.value.replace(/\/+$/, "");
  return normalized(one) === normalized(other);
}
