// The rules of the base URL, to which a key can be sent, and of the address of an incident in the web application.
import { Failure } from "../failure.ts";
import { isLoopback } from "../platform/loopback.ts";
import { isGuid } from "../rules/forms.ts";
import type { Setting } from "./settings.ts";

/** Without a trailing slash. Throws a `Failure` "usage". */
export function checkBaseUrl(setting: Setting<string>): Setting<string> {
  const { value } = setting;
  const refuse = (message: string, hint: string) =>
    new Failure("usage", `the base URL from ${setting.origin} ${message}`, { hint });
  // Of `localhost:4999`, a URL takes the host for the scheme.
  if (!/^[a-z]+:\/\//i.test(value) || !URL.canParse(value))
    throw refuse("is not a URL", "write it with its scheme, such as https://api.example.com");
  const url = new URL(value);
  if (url.username !== "" || url.password !== "")
    throw refuse("has a login in it", "remove it: the API key is the only credential");
  // A bare `?` or `#` leaves no search and no hash, and would end the path before the one of a request.
  if (/[?#]/.test(url.href))
    throw refuse("has a query or a fragment", "end it with the path under which /v1 is served");
  const plain = url.href.replace(/\/+$/, "");
  // Every path begins with the version (spec 9).
  const [segment] = /\/v\d+(?:\/status-pages(?:\/.*)?)?$/i.exec(new URL(plain).pathname) ?? [];
  if (segment !== undefined)
    throw refuse(
      `ends with ${segment}, and every path begins with /v1`,
      `write it without that: ${plain.slice(0, -segment.length)}`,
    );
  if (!isProtected(url)) {
    throw refuse(
      `would send the key unencrypted (${url.protocol}//${url.host})`,
      "use https://; only addresses of this machine can use http://",
    );
  }
  return { ...setting, value: plain };
}

/** Also for two spellings of one address, such as with the default port or a slash at the end. */
export function sameUrl(one: Setting<string> | undefined, other: Setting<string> | undefined): boolean {
  const normalized = ({ value }: Pick<Setting<string>, "value"> = { value: "" }) =>
    (URL.canParse(value) ? new URL(value).href : value).replace(/\/+$/, "");
  return normalized(one) === normalized(other);
}

/** The address of an incident in the web application. The user alone sets it, because people follow it. */
export function checkWebUrl(setting: Setting<string>): Setting<string> {
  if (isWebUrl(setting.value)) return setting;
  const problem = "is no https:// address with {id} after its host";
  throw new Failure("usage", `the address of the web application from ${setting.origin} ${problem}`, {
    hint: "write it as https://app.example.com/incidents/{id}, as your browser shows it for an incident",
  });
}

function isWebUrl(value: string): boolean {
  // The id stands after the host, and there is no login before it.
  const [, origin = ""] = /^([a-z]+:\/\/[^/?#{}@]+)[/?#].*\{id\}/i.exec(value) ?? [];
  return /^[\x21-\x7e]+$/.test(value) && URL.canParse(origin) && isProtected(new URL(origin));
}

/** Undefined where the setting is missing or wrong, or the id is no GUID: a link stops no command. */
export function incidentLink(webUrl: Setting<string> | undefined, id: string): string | undefined {
  const isUsable = webUrl !== undefined && isGuid(id) && isWebUrl(webUrl.value);
  return isUsable ? webUrl.value.replaceAll("{id}", () => id) : undefined;
}

/** Only addresses of this machine can do without TLS. */
function isProtected({ hostname, protocol }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
