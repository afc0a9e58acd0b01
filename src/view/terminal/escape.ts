// The one place that makes untrusted text safe for a terminal: escapes the characters that move the cursor, are
// invisible, or change the reading direction.

/** Characters without a glyph: controls, formats, lone surrogates, private use, and other invisible characters. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

/** A joiner inside an emoji, such as a family, is part of its glyph. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of text, every invisible character escaped as `\n`, `\t` or `\u{…}`. */
export function escapeLine(text: string): string {
  // Covers nearly all text. Compiling the patterns above takes long.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const joiners = new Set([...text.matchAll(emojiJoiner)].map((match) => match.index));
  return text.replace(invisible, (character, offset: number) =>
    joiners.has(offset)
      ? character
      : (named[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`),
  );
}

/** Escapes text of several lines: splits it at line ends, expands tabs, and escapes the rest. */
export function escapeLines(text: string): string[] {
  return text
    .replace(/\s+$/, "")
    .split(/\r\n|\n/)
    .map((line) => escapeLine(line.replaceAll("\t", "    ")));
}
