// The messages for violations of a schema: the error with the quoted value, and the correction.
import type { DiagnosticMessage, ViolationCode } from "../diagnostic.ts";
import { codePointLength } from "../text/lengths.ts";
import { withSuggestion } from "../text/suggest.ts";
import {
  flow,
  formHints,
  quote,
  typographicQuotesHint,
  type ViolationDetails,
  withoutTypographicQuotes,
} from "./violations/violation.ts";
import { wrongTypeHint, wrongTypeMessage } from "./violations/wrong-type.ts";
import { oddSpaceBefore } from "./yaml/odd-characters.ts";

export const violationMessages = {
  "wrong-type": (details) => ({ message: wrongTypeMessage(details), hint: wrongTypeHint(details) }),
  "unknown-field": unknownField,
  "missing-field": ({ name, example }) => ({
    message: `${name} is missing`,
    hint: `add it, for example ${name}: ${flow(example)}`,
  }),
  "unknown-severity": (details) => unknownValue(details, "a severity"),
  "unknown-status": (details) => unknownValue(details, "a status"),
  "unknown-value": (details) => unknownValue(details, "a value of this field"),
  "name-too-long": ({ name, value, maxLength }) => ({
    message: `${name} has ${codePointLength(String(value))} characters`,
    hint: maxLength === undefined ? "shorten it" : `shorten it to at most ${maxLength} characters`,
  }),
  "blank-text": ({ name, value, example }) => ({
    message: `${name} is blank: ${quote(value)}`,
    hint: `write the text that customers read, for example ${flow(example)}`,
  }),
  "empty-list": ({ name, example }) => ({
    message: `${name} is an empty list`,
    hint: `write at least one entry, for example ${flow(example)}`,
  }),
  "not-a-guid": ({ value }) => ({
    message: `${quote(value)} is not a GUID`,
    hint: formHints.uuid,
  }),
  "not-a-date": ({ value }) => ({
    message: `${quote(value)} is not a valid date`,
    hint: formHints.date,
  }),
  "not-a-date-time": ({ value }) => ({
    message: `${quote(value)} is not a date and time with an offset`,
    hint: formHints["date-time"],
  }),
  "not-a-whole-number": ({ value }) => ({
    message: `${quote(value)} is ${typeof value === "bigint" ? "too large a number" : "not a whole number"}`,
    hint: `write digits only, up to ${Number.MAX_SAFE_INTEGER}`,
  }),
} satisfies Record<ViolationCode, (details: ViolationDetails) => DiagnosticMessage>;

export function isViolationCode(code: string): code is ViolationCode {
  return Object.hasOwn(violationMessages, code);
}

function unknownValue({ value, allowed, suggestion }: ViolationDetails, kind: string): DiagnosticMessage {
  const unquoted = withoutTypographicQuotes(value);
  if (unquoted !== undefined && allowed.includes(unquoted.toUpperCase())) {
    return {
      message: `${quote(value)} is not ${kind}: its typographic quotes are part of the value`,
      hint: typographicQuotesHint(value),
    };
  }
  return {
    message: `${quote(value)} is not ${kind}`,
    hint: withSuggestion(`write one of ${allowed.join(", ")}`, suggestion),
  };
}

function unknownField(details: ViolationDetails): DiagnosticMessage {
  const { name } = details;
  const space = oddSpaceBefore(name);
  if (space !== undefined)
    return { message: `${space} is a part of this name, and looks like a space`, hint: "use spaces instead" };
  if (details.isBare)
    return {
      message: `${quote(name)} is not a field here: it has no colon`,
      hint: "if it is the rest of a text with a comma, put the whole text in quotes; else write it as name: value",
    };
  return { message: `${quote(name)} is not a field here`, hint: unknownFieldHint(details) };
}

function unknownFieldHint({ name, fields, suggestion, owner }: ViolationDetails): string {
  if (name === "<<") return "write the fields out: YAML 1.2 has no merge keys";
  if (owner !== undefined) {
    const renamed = owner.field === name ? "" : ` as ${owner.field}`;
    return `it belongs under ${owner.list}: write it${renamed} in an entry of that list`;
  }
  const hint = withSuggestion(`write one of ${fields.join(", ")}`, suggestion);
  // No field has a space in its name, so the line is probably the rest of a text.
  return name.includes(" ")
    ? `if the line continues the text above, indent it further than its field; if it is a field, ${hint}`
    : hint;
}
