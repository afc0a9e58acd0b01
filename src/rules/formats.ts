// The formats of texts: the code of a text that is not in it, its name, its check, an example, and the correction. Each
// check takes time linear in the text.
import type { DiagnosticCode } from "../diagnostic.ts";
import { controlIn, isDate, isDateTime, isGuid, isVisible } from "./forms.ts";
import type { RuleFormat } from "./rule-schema.ts";

/** RFC 3339 requires the seconds. */
const withSeconds = /T\d{2}:\d{2}:\d{2}/;

const timeHint = "write ISO 8601, for example 2026-03-01T09:30:00Z or 2026-03-01T10:30:00+01:00";
// No GUID: a copied one would name something else.
const guid = format("not-a-guid", "a GUID", isGuid, "CHANGEME", "write 8-4-4-4-12 hexadecimal digits");
const isoDateTime = format(
  "not-a-date-time",
  "a date and time with an offset",
  isDateTime,
  "2026-03-01T09:30:00Z",
  timeHint,
);

export const formats = {
  uuid: guid,
  date: format(
    "not-a-date",
    "a valid date as YYYY-MM-DD",
    isDate,
    "2026-03-01",
    "write year-month-day, for example 2026-03-01",
  ),
  "date-time": {
    ...isoDateTime,
    name: "a date and time with seconds and an offset",
    check: (text) => isDateTime(text) && withSeconds.test(text),
  },
  "x-iso-date-time": isoDateTime,
  "x-visible-text": format("blank-text", "text that a person can see", isVisible, "text", "write text here"),
  "x-one-line": format(
    "blank-text",
    "visible text on one line",
    (text) => isVisible(text) && controlIn(text) === undefined,
    "text",
    "write text here",
  ),
  "x-values": format("wrong-type", "a value or a list of values", isValues, "[firing, pending]"),
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
  code: DiagnosticCode,
  name: string,
  check: (text: string) => boolean,
  example: string,
  hint = `write ${name}, for example ${example}`,
) {
  return { code, name, check, example, hint };
}
