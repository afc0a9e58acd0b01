// The formats of texts: the check of each, its name, an example, and the correction of a text that is not in it. Each
// check takes time linear in the text.
import { controlIn, isDate, isDateTime, isGuid, isVisible } from "./forms.ts";
import type { RuleFormat } from "./rule-schema.ts";

/** RFC 3339 requires the seconds. */
const withSeconds = /T\d{2}:\d{2}:\d{2}/;

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
  "x-values": format("a value or a list of values", isValues, "[firing, pending]"),
  "x-uuid-or-none": { ...guid, name: "a GUID, or none", check: (text) => text === "none" || isGuid(text) },
} as const satisfies Record<RuleFormat, ReturnType<typeof format>>;

/** Whether a format takes any text that a person can read. */
export function isFreeText(name: RuleFormat | undefined): boolean {
  return name === undefined || name === "x-visible-text" || name === "x-one-line";
}

function isValues(value: unknown): boolean {
  const isValue = (each: unknown) => ["string", "number", "boolean"].includes(typeof each);
  return isValue(value) || (Array.isArray(value) && value.every(isValue));
}

function format(
  name: string,
  check: (text: string) => boolean,
  example: string,
  hint = `write ${name}, for example ${example}`,
) {
  return { name, check, example, hint };
}
