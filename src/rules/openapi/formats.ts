// Whether a text is in one of the formats of a contract. Each check takes time linear in the text.
import { isDate, isDateTime, isGuid } from "../forms.ts";
import type { RuleFormat } from "./contract.ts";

/** As RFC 3339 has it, which requires the seconds. */
const withSeconds = /T\d{2}:\d{2}:\d{2}/;

const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

export const isInFormat = {
  uuid: isGuid,
  date: isDate,
  "date-time": (text) => isDateTime(text) && withSeconds.test(text),
  email: (text) => {
    const at = text.lastIndexOf("@");
    return at > 0 && text.length <= 320 && !/\s/.test(text) && isHostname(text.slice(at + 1));
  },
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s]*$/i.test(text),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: (text) => text.length <= 45 && URL.canParse(`http://[${text}]`) && /^[0-9a-f:.]+$/i.test(text),
} as const satisfies Record<RuleFormat, (text: string) => boolean>;

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => hostLabel.test(label));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}
