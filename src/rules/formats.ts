// The formats of texts: the check of each, its name, and an example. Each check takes time linear in the text.
import { isDate, isDateTime, isGuid, isVisible } from "./forms.ts";
import type { RuleFormat } from "./rule-schema.ts";

/** RFC 3339 requires the seconds. */
const withSeconds = /T\d{2}:\d{2}:\d{2}/;

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export const isInFormat = {
  uuid: isGuid,
  date: isDate,
  "date-time": (text) => isDateTime(text) && withSeconds.test(text),
  "x-iso-date-time": isDateTime,
  "x-visible-text": isVisible,
  "x-uuid-or-none": (text) => text === "none" || isGuid(text),
  email: (text) => {
    const at = text.lastIndexOf("@");
    return at > 0 && text.length <= 320 && !/\s/.test(text) && isHostname(text.slice(at + 1));
  },
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: (text) => text.length <= 45 && URL.canParse(`http://[${text}]`) && /^[0-9a-f:.]+$/i.test(text),
} as const satisfies Record<RuleFormat, (text: string) => boolean>;

export const formatNames = {
  uuid: "a GUID",
  date: "a date, as YYYY-MM-DD",
  "date-time": "a date and time with seconds and an offset",
  "x-iso-date-time": "a date and time with an offset",
  "x-visible-text": "text that a person can see",
  "x-uuid-or-none": "a GUID, or none",
  email: "an e-mail address",
  uri: "a URI",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
} as const satisfies Record<RuleFormat, string>;

const isoDateTime = {
  example: "2026-03-01T09:30:00Z",
  hint: "write ISO 8601, for example 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00",
};
const guid = {
  // No GUID: a copied one would name something else.
  example: "CHANGEME",
  hint: "write 8-4-4-4-12 hexadecimal digits",
};

/** A value in each format, and the correction of a text that is not in it. */
export const formatExamples = {
  uuid: guid,
  "x-uuid-or-none": guid,
  date: { example: "2026-03-01", hint: "write year-month-day, for example 2026-03-01" },
  "date-time": isoDateTime,
  "x-iso-date-time": isoDateTime,
  "x-visible-text": { example: "text", hint: "write text here" },
  email: exampleOnly("email", "status@example.com"),
  uri: exampleOnly("uri", "https://status.example.com"),
  hostname: exampleOnly("hostname", "status.example.com"),
  ipv4: exampleOnly("ipv4", "192.0.2.1"),
  ipv6: exampleOnly("ipv6", "2001:db8::1"),
} as const satisfies Record<RuleFormat, { readonly example: string; readonly hint: string }>;

function exampleOnly(format: RuleFormat, example: string) {
  return { example, hint: `write ${formatNames[format]}, for example ${example}` };
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => hostLabel.test(label));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}
