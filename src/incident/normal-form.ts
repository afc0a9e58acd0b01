// The normal form of the values of an incident: equal for two notations of the same meaning. A service may store a
// value in another notation than it was sent in, and a person may write it in another one.
import type { Compare } from "./definition.ts";

/** The characters that HTML escapes by name, as common escaping functions write them. */
const namedCharacters: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

/**
 * The text in NFC, without HTML escapes and tags, with one space for each white space, line ends included, and without
 * outer white space.
 */
export function normalText(text: string): string {
  // Composed first: "<é>" is no tag, and its decomposed form begins with "<e".
  const plain = /[<&]/.test(text) ? withoutMarkup(text.normalize("NFC")) : text;
  return plain.normalize("NFC").replace(/\s+/g, " ").trim();
}

function withoutMarkup(text: string): string {
  return text
    .replace(/&(?:amp;)*(?:(lt|gt|quot|apos|nbsp|#x[0-9a-f]{1,6}|#[0-9]{1,7});)?/gi, unescaped)
    .replace(/<\/?(?:br|p|div|li|ul|ol|h[1-6])(?:[\s/][^<>]*)?>/gi, " ")
    .replace(/<[!/]?[a-z][^<>]*>/gi, "");
}

/** Undoes any number of escapes, one around the other. */
function unescaped(_: string, name: string | undefined): string {
  if (name === undefined) return "&";
  const lower = name.toLowerCase();
  if (!lower.startsWith("#")) return namedCharacters.get(lower) ?? "";
  const code = lower.startsWith("#x") ? Number.parseInt(lower.slice(2), 16) : Number(lower.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** The value of an enumeration that equals the text in any letter case; undefined for another text. */
export function normalName<T extends string>(text: string | undefined, names: readonly T[]): T | undefined {
  const upper = text?.trim().toUpperCase();
  return names.find((name) => name === upper);
}

export function normalId(id: string): string {
  return id.trim().toLowerCase();
}

/** A date or a date-time as an instant, whatever its zone; any other text as it is. */
export function normalInstant(text: string): string {
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text : new Date(instant).toISOString();
}

/** The normal form of a value, for each way to compare it; undefined for a field that is not compared on its own. */
export const normalForms = {
  text: normalText,
  name: (text) => text.trim().toUpperCase(),
  instant: normalInstant,
  value: (text) => text,
  answer: (text) => text,
  list: undefined,
  never: undefined,
} as const satisfies Record<Compare, ((text: string) => string) | undefined>;
