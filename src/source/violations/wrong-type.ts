// The message for a value of the wrong type, with the correction for the mistake that the value shows.
import {
  cut,
  flow,
  formHints,
  type Kind,
  kindOf,
  quote,
  typographicQuotesHint,
  type ViolationDetails,
  withoutTypographicQuotes,
} from "./violation.ts";

const kindNames = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  nothing: "empty",
  list: "a list",
  mapping: "a mapping",
} satisfies Record<Kind, string>;

export function wrongTypeMessage({ name, value, expected = "text" }: ViolationDetails): string {
  const kind = kindOf(value);
  if (kind === "nothing") return `${name} is empty`;
  const subject = kind === "list" || kind === "mapping" ? name : quote(value);
  return `${subject} is ${kindNames[kind]}, not ${kindNames[expected]}`;
}

export function wrongTypeHint(details: ViolationDetails): string {
  const { name, value, expected = "text", fields, requiredFields } = details;
  switch (expected) {
    case "text":
      return textHint(details);
    case "number":
      if (typeof value !== "string" || !/^\d+ *\p{L}/u.test(value)) return "write digits, without quotes";
      return `write digits only, without a unit${name === "duration" ? "; the API does not state the unit" : ""}`;
    case "boolean":
      if (withoutTypographicQuotes(value) !== undefined) return typographicQuotesHint(value);
      return "write true or false, without quotes: yes and no are text in YAML 1.2";
    case "list":
      if (typeof value === "string" && /^-\S/.test(value)) {
        return `put a space after the "-" of each entry: "- ${cutWord(value.slice(1))}"`;
      }
      return kindOf(value) === "mapping" ? listHint(details) : plainListHint;
    case "mapping": {
      const unspaced = typeof value === "string" ? /^([\p{L}_]+):\S/u.exec(value)?.[1] : undefined;
      if (unspaced !== undefined && fields.includes(unspaced)) {
        return `put a space after the colon: "${unspaced}: …"`;
      }
      if (kindOf(value) === "list" && fields.includes("incidentUpdates"))
        return 'remove the "- " and the indentation of each entry; separate definitions with a line "---"';
      if (fields.length === 0) return 'write each entry on a line of its own, as in "name: value"';
      return `write its fields, each on a line of its own: ${(requiredFields.length > 0 ? requiredFields : fields).join(", ")}`;
    }
    case "nothing":
      return "leave it empty";
  }
}

const plainListHint = 'write a list: each entry on a line of its own, after "- "';

/** The correction of a value that is no text. */
function textHint({ value, allowed, format, example }: ViolationDetails): string {
  if (["number", "boolean"].includes(kindOf(value))) {
    if (allowed.length > 0) return `write one of ${allowed.join(", ")}`;
    if (format === "uuid" || format === "date" || format === "date-time") return formHints[format];
    return "put it in quotes to make it text";
  }
  return example === undefined ? "write text here" : `write text here, for example ${flow(example)}`;
}

/** The correction of a mapping in the place of a list: usually the first entry without its dash. */
function listHint({ value, entryFields, requiredEntryFields }: ViolationDetails): string {
  const [first = "", ...others] = Object.keys(value as object);
  const name = cut(first);
  if (/^-\S/.test(first)) return `put a space after the "-" of each entry: "- ${name.slice(1)}: …"`;
  if (entryFields.includes(first)) {
    const rest = others.length > 0 ? ", and indent its other fields by two more spaces" : "";
    return `make it an entry of a list: write "- ${name}: …"${rest}`;
  }
  const [leading, ...following] = requiredEntryFields;
  if (leading === undefined || following.length === 0) return plainListHint;
  const below = following.map((field) => `"${field}: …"`).join(" and ");
  return `write each entry as "- ${leading}: …", with ${below} below it, indented like "${leading}"`;
}

function cutWord(text: string): string {
  return text.trim().split(/\s/, 1)[0] ?? "";
}
