// The one place where untrusted text becomes fit for a terminal: what could move the cursor, hide, or turn
// the reading direction is shown as its code instead.

/** All that has no picture of its own: controls, formats, lone surrogates, private use, and other invisibles. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/gu;

/** A joiner inside an emoji, such as the one of a family, is part of its picture. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of text, every invisible character escaped as `\n`, `\t` or `\u{…}`. */
export function escapeLine(text: string): string {
  // Nearly all text; the tables of the patterns above take a while to build.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const joiners = new Set([...text.matchAll(emojiJoiner)].map((match) => match.index));
  return text.replace(invisible, (character, offset: number) =>
    joiners.has(offset)
      ? character
      : (named[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`),
  );
}

/** Text that may have several lines: line ends stay, a tab becomes spaces, the rest is escaped. */
export function escapeLines(text: string): string[] {
  return text
    .replace(/\s+$/, "")
    .split(/\r\n|\n/)
    .map((line) => escapeLine(line.replaceAll("\t", "    ")));
}
