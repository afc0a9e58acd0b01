// Checks a parsed YAML value by rules, and returns a diagnostic for each violation at its place in the text.
import type { Diagnostic, DiagnosticMessage, Locate, Location, Path } from "../diagnostic.ts";
import { formats, isFreeText } from "../rules/formats.ts";
import { guidIn, isDateTime, isGuid } from "../rules/forms.ts";
import { wordsFor } from "../rules/messages.ts";
import { quote } from "../rules/quote.ts";
import type { Rules } from "../rules/rule-schema.ts";
import { fieldsOf, meantField } from "../rules/schema-facts.ts";
import { parseValue, type Violation } from "../rules/violations.ts";
import { findLookAlike, fullWidthColon, oddIndentation, withoutLookAlikes } from "../text/look-alikes.ts";
import { entriesOf, fieldOf, isMapping } from "../untrusted-data.ts";
import { maxDiagnostics } from "./diagnostic-list.ts";

export interface Checked<T> {
  /** The value with its fields in the order of the rules; `undefined` if there is a diagnostic. */
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The paths that the diagnostics are about, with those of the fields that they suggest. */
  readonly paths: readonly Path[];
}

/** The valid value, or a diagnostic for each violation. `rootName` names the value in messages. */
export function checkValue<T>(
  rules: Rules<T>,
  value: unknown,
  locate: Locate,
  rootName = "the document",
): Checked<T> {
  const { value: valid, violations } = parseValue(rules, value, 2 * maxDiagnostics);
  if (violations.length === 0) return { value: valid, diagnostics: [], paths: [] };
  const explanations = new Map(violations.map((each) => [each, explain(each, value)]));
  const explained = [...explanations.values()].flatMap((each) => (each === undefined ? [] : [each.of]));
  const keys = new Set(explained.map(keyOf));
  const isExplained = ({ keyword, path }: Violation) =>
    keyword === "required" && [path, path.slice(0, -1)].some((each) => keys.has(keyOf(each)));
  return {
    value: undefined,
    diagnostics: violations
      .filter((each) => !isExplained(each))
      .map((violation) => {
        const { hint } = explanations.get(violation) ?? {};
        return { ...toDiagnostic(violation, locate, rootName), ...(hint !== undefined && { hint }) };
      }),
    paths: [...violations.map(({ path }) => path), ...explained],
  };
}

/** A missing field at this path, or directly below it, follows from the violation, and gets no diagnostic. */
interface Explanation {
  readonly of: Path;
  readonly hint?: string;
}

function explain({ keyword, path, schema }: Violation, root: unknown): Explanation | undefined {
  const parent = path.slice(0, -1);
  const [index, name] = path.slice(-2);
  const namesAt = (at: Path) => Object.keys(Object(at.reduce(fieldOf, root)));
  if (keyword === "required" && typeof index === "number") {
    // A dash too many splits an entry: the field that is missing begins the next one.
    const next = [...path.slice(0, -2), index + 1];
    const hint = `if the next entry continues this one, remove its "- "; else add ${name} here`;
    return namesAt(next)[0] === name ? { of: next, hint } : undefined;
  }
  if (keyword !== "no-other-fields") return undefined;
  const meant = meantField(plainText(path.at(-1)), schema);
  if (meant !== undefined) return { of: [...parent, meant.list ?? meant.field] };
  // YAML 1.2 has no merge keys.
  if (path.at(-1) === "<<") return { of: parent };
  // A text in the place of an entry: a colon in it makes a field of its beginning.
  const [field, another] = schema.required ?? [];
  const isText = typeof index === "number" && String(name).includes(" ") && namesAt(parent).length === 1;
  if (!isText || field === undefined || another !== undefined) return undefined;
  return { of: parent, hint: `write ${field}: and the whole text in quotes` };
}

function toDiagnostic(violation: Violation, locate: Locate, rootName: string): Diagnostic {
  const { code, hint, message: said } = wordsFor(violation, rootName);
  const isName = code === "unknown-field";
  const dash = dashOfList(violation);
  const colon = colonOfField(violation);
  const location =
    dash === undefined ? locate(violation.path, isName ? "key" : "value", colon) : locate(dash, "key");
  const mistake = isName
    ? nameMistake(violation, location)
    : dash === undefined
      ? (colon && fullWidthColon) || commentMistake(violation, location) || valueMistake(violation)
      : { ...lookAlikeMistake(String(dash.at(-1))), hint: 'write "- " before each entry of a list' };
  const message = asWritten(said, violation.value, location);
  // A template cuts a text that is too long to this length.
  const limit = violation.keyword === "maxLength" && { mostCharacters: violation.schema.maxLength };
  return { code, level: "error", message, hint, ...mistake, ...limit, location };
}

/** The message with a number as the file spells it: `0755`, and not `755`. */
function asWritten(message: string, value: unknown, { start, end, source }: Location): string {
  if (typeof value !== "number") return message;
  const written = [...source].slice(start.column - 1, end.column - 1).join("");
  const isNumber = start.line === end.line && Number(written) === value;
  return isNumber && message.startsWith(String(value)) ? message.replace(String(value), written) : message;
}

type Mistake = Partial<DiagnosticMessage> & Pick<Diagnostic, "correction">;

/** A name or a value without the characters that only look like those of a keyboard. */
function plainText(text: unknown): string {
  return withoutLookAlikes(String(text)).trim();
}

function lookAlikeMistake(text: string, correction = withoutLookAlikes(text)): DiagnosticMessage & Mistake {
  const found = findLookAlike(text);
  const meant = found?.plain === " " ? "a space" : `"${found?.plain}"`;
  const looks = found?.plain === "" ? "is not part of it" : `looks like ${meant}`;
  return {
    message: `${quote(text)} has ${found?.name}, which ${looks}`,
    hint: `write ${correction.trim()}`,
    correction,
  };
}

/** The value that is meant where the value differs in letter case, or in characters that only look right. */
function valueMistake({ keyword, schema, value }: Violation): Mistake | undefined {
  if (keyword === "type" && schema.format === "uuid") {
    // YAML reads a GUID in braces as a mapping, and one in brackets as a list.
    const [text, another] = isMapping(value) ? Object.keys(value) : entriesOf(value);
    return typeof text === "string" && another === undefined && isGuid(text)
      ? { hint: `write ${text}`, correction: text }
      : undefined;
  }
  if (typeof value !== "string") return undefined;
  const plain = plainText(value);
  if (keyword === "enum") {
    const meant = (text: string) => schema.enum?.map(String).find((each) => each === text.toUpperCase());
    const correction = meant(plain);
    const beforeMark = meant(plain.slice(0, -1));
    if (beforeMark !== undefined && /[,;]$/.test(plain))
      return {
        hint: `write ${beforeMark}: remove the "${plain.slice(-1)}" at the end of this line and of the others`,
      };
    if (correction === undefined) return undefined;
    return findLookAlike(value) === undefined ? { correction } : lookAlikeMistake(value, correction);
  }
  if (keyword !== "format" || schema.format === undefined) return undefined;
  if (schema.format === "date" && isDateTime(plain))
    return { hint: "write the day alone, or the time in publicIncidentUpdateDate of an update" };
  if (isFreeText(schema.format)) return undefined;
  const guid = schema.format === "uuid" ? guidIn(plain) : undefined;
  if (findLookAlike(value) === undefined || !formats[schema.format].check(plain))
    return guid === undefined ? undefined : { hint: `write ${guid}`, correction: guid };
  return lookAlikeMistake(value, plain);
}

/** A text that begins with "#", which YAML reads as a comment. */
function commentMistake({ path, value }: Violation, { source }: Location): Mistake | undefined {
  if (value !== null || !/: +#[^\s#]/.test(source)) return undefined;
  const message = `${path.at(-1)} is empty: "#" begins a comment`;
  return { message, hint: 'put the whole text in quotes: "…"' };
}

/** The path of the first field where a dash of a text editor stands in place of the hyphen of a list. */
function dashOfList({ keyword, path, schema, value }: Violation): Path | undefined {
  if (keyword !== "type" || schema.items === undefined || typeof value !== "object" || value === null)
    return undefined;
  const [first = ""] = Object.keys(value);
  return /^(?:[\u2010-\u2015\u2212] |-[^\S ])/.test(first) ? [...path, first] : undefined;
}

/** A full-width colon after the name of a field, which makes a text of the field, with the spaces after it. */
function colonOfField({ keyword, schema, value }: Violation): string | undefined {
  if (keyword !== "type" || typeof value !== "string") return undefined;
  const [, name = "", colon] = /^([A-Za-z_]+)\s*(：\s*)/.exec(value) ?? [];
  return fieldsOf(schema).includes(name) ? colon : undefined;
}

/** The words for an unknown name that is no name, but the rest of a text. */
function nameMistake({ path, schema, value }: Violation, location: Location): Mistake | undefined {
  const name = String(path.at(-1));
  if (name === "<<")
    return {
      message: '"<<" is a merge key, and YAML 1.2 has none',
      hint: "write the fields out that it stands for",
    };
  if (findLookAlike(name) !== undefined && fieldsOf(schema).includes(plainText(name)))
    return lookAlikeMistake(name, withoutLookAlikes(name.replace(/^[•·▪‣] */, "")));
  if (findLookAlike(name.charAt(0))?.plain === " ") return oddIndentation(name);
  if (/^-[^\S ]/.test(name))
    return { ...lookAlikeMistake(name), hint: 'write "- " before each entry of a list' };
  // An entry between the commas or braces of a mapping on one line.
  if (value !== null || !/[{,]/.test(location.source)) return undefined;
  return {
    message: `${quote(name)} is not a field here: it has no colon`,
    hint: "if it is the rest of a text with a comma, put the whole text in quotes; else write it as name: value",
  };
}

/** Equal for two paths of the same steps. */
export function keyOf(path: Path): string {
  return JSON.stringify(path);
}
