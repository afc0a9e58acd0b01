// The formats of texts: the check of each, its name, an example, and the correction of a text that is not in it. Each
// check takes time linear in the text.
import { controlIn, isDate, isDateTime, isGuid, isVisible } from "./forms.ts";
import type { RuleFormat } from "./rule-schema.ts";

/** RFC 3339 requires the seconds. */
const withSeconds = /T\d{2}:\d{2}:\d{2}/;

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const guidHint = "write 8-4-4-4-12 hexadecimal digits";
const timeHint = "write ISO 8601, for example 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00";
// No GUID: a copied one would name something else.
const guid = format("a GUID", isGuid, "CHANGEME", guidHint);
const isoDateTime = format("a date and time with an offset", isDateTime, "2026-03-01T09:30:00Z", timeHint);

export const formats = {
  uuid: guid,
  date: format("a date, as YYYY-MM-DD", isDate, "2026-03-01", "write year-month-day, for example 2026-03-01"),
  "date-time": {
    ...isoDateTime,
    name: "a date and time with seconds and an offset",
    check: (text) => isDateTime(text) && withSeconds.test(text),
  },
  "x-iso-date-time": isoDateTime,
  "x-visible-text": format("text that a person can see", isVisible, "text", "write text here"),
  "x-one-line": format(
    "visible text on one line",
    (text) => isVisible(text) && controlIn(text) === undefined,
    "text",
    "write text here",
  ),
  "x-uuid-or-none": { ...guid, name: "a GUID, or none", check: (text) => text === "none" || isGuid(text) },
  email: format("an e-mail address", isEmail, "status@example.com"),
  uri: format("a URI", (text) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text), "https://status.example.com"),
  hostname: format("a host name", isHostname, "status.example.com"),
  ipv4: format("an IPv4 address", isIpv4, "192.0.2.1"),
  ipv6: format("an IPv6 address", isIpv6, "2001:db8::1"),
} as const satisfies Record<RuleFormat, ReturnType<typeof format>>;

/** Whether a format takes any text that a person can read. */
export function isFreeText(name: RuleFormat | undefined): boolean {
  return name === undefined || name === "x-visible-text" || name === "x-one-line";
}

function format(
  name: string,
  check: (text: string) => boolean,
  example: string,
  hint = `write ${name}, for example ${example}`,
) {
  return { name, check, example, hint };
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return at > 0 && text.length <= 320 && !/\s/.test(text) && isHostname(text.slice(at + 1));
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => hostLabel.test(label));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  return text.length <= 45 && URL.canParse(`http://[${text}]`) && /^[0-9a-f:.]+$/i.test(text);
}
