// Text that may reach a terminal or a log, and the one place that makes untrusted text safe for it. Streams take only this
// type, so that printing a text of the service, of a file or of the environment without escaping it does not compile.
import { cutText } from "../../text/lengths.ts";

declare const brand: unique symbol;

/** A text in which only this tool's own colors and sequences move the cursor, or are invisible. */
export type SafeText = { readonly [brand]: true; trimEnd(): SafeText } & string;

/** A part of a safe text: safe itself, a number, or a word of a closed union, which comes from the source code. */
export type SafePart<T> = T extends SafeText | number
  ? T
  : T extends string
    ? Record<never, never> extends Record<T, unknown>
      ? never
      : T
    : never;

/** A template of safe parts: safe`${style.line(name)}: ${count} files`. */
export function safe<const P extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...parts: { readonly [K in keyof P]: SafePart<P[K]> }
): SafeText {
  let text = strings[0] as string;
  for (const [index, part] of parts.entries()) text += String(part) + (strings[index + 1] as string);
  return assumeSafe(text);
}

/** Lines, or with another `separator` the parts of a line. */
export function joinSafe<const S extends string = "\n">(
  texts: readonly SafeText[],
  separator?: SafePart<S>,
): SafeText {
  return assumeSafe(texts.join(separator ?? "\n"));
}

export function safeLines(lines: readonly SafeText[]): SafeText {
  return assumeSafe(lines.map((line) => `${line}\n`).join(""));
}

export function spaces(count: number): SafeText {
  return assumeSafe(" ".repeat(count));
}

/** Declares a text safe: for functions that escape, and texts of this package. test/architecture.test.ts lists them. */
export function assumeSafe(text: string): SafeText {
  return text as SafeText;
}

// The next two patterns are functions for speed: V8 reads a pattern where it is created, and Unicode properties take 1 ms.

/** Characters without a glyph: controls, formats, lone surrogates, private use, and other invisible characters. */
export const invisible = () =>
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

/** A joiner inside an emoji, such as a family, is part of its glyph. */
const emojiJoiner = () =>
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

const named: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** The longest text that is drawn, in UTF-16 units. */
const longestText = 10_000;

/** The start of a command that logs of pipelines obey anywhere in a line: `##[group]`, `##vso[…]`. */
const logCommand = /##(?=\w*\[)/g;

/** The start of a line that GitHub Actions obeys: `::add-mask::`, after spaces. */
const workflowCommand = /^([^\S\n]*):(?=:)/gm;

/** One line of text, every invisible character escaped as `\n`, `\t` or `\u{…}`; the end of a long text is left out. */
export function escapeLine(text: string): SafeText {
  return escapeAll(cutText(text, longestText));
}

function escapeAll(text: string): SafeText {
  // A fast test for nearly all text: the patterns above take long.
  if (/^[\x20-\x7e]*$/.test(text)) return assumeSafe(text);
  const joiners = new Set([...text.matchAll(emojiJoiner())].map((match) => match.index));
  const escaped = text.replace(invisible(), (character, offset: number) =>
    joiners.has(offset)
      ? character
      : (named.get(character) ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`),
  );
  return assumeSafe(escaped);
}

/** Escapes text of several lines: splits it at line ends, expands tabs, and escapes the rest. */
export function escapeLines(text: string): SafeText[] {
  return cutText(text.trimEnd(), longestText)
    .split(/\r\n|\n/)
    .map((line) => escapeAll(line.replaceAll("\t", "    ")));
}

/** Output for people in which no line is a command to the log of a pipeline, whatever text it contains. */
export function disarmLog(text: SafeText): SafeText {
  return assumeSafe(text.replace(logCommand, "#\\u{23}").replace(workflowCommand, "$1\\u{3a}"));
}

/** JSON in which every invisible character of a string is an escape: the same value, and nothing that moves a cursor. */
export function escapeJson(json: string): SafeText {
  const disarmed = json.replace(logCommand, "#\\u0023");
  // The only control characters outside of strings are the line ends.
  if (/^[\n\x20-\x7e]*$/.test(disarmed)) return assumeSafe(disarmed);
  const escaped = disarmed.replace(invisible(), (character) =>
    character === "\n" ? character : character.replace(/./gs, escapeUnit),
  );
  return assumeSafe(escaped);
}

/** A UTF-16 unit as an escape of JSON. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
