// Checks every string that a command of the harness writes to a stream: it has only characters that a terminal, a log
// or an editor shows as itself.

/** A control, a format, a lone surrogate, a private or another invisible character, except for line ends and tabs. */
const unsafe =
  /(?!\n|\t|\ufe0e|\ufe0f)(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point})/gu;

/** A joiner of an emoji, and the space that disables a mention in Markdown. */
const harmless = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|(?<=@)\u200b/gu;

/** The sequences of the tool itself: colors, the spinner, and the page of a watch. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are sequences of a terminal
const sequences = /\u001b\[\d+(?:;\d+)*m|\r\u001b\[K|\r(?=\n)|\u001b\[[HJK]|\u001b\[\?(?:1049|25|7)[hl]/g;

/** The part of `text` around its first unsafe character; undefined without one. */
export function findUnsafe(text: string, hasSequences: boolean): string | undefined {
  if (/^[\n\t\x20-\x7e]*$/.test(text)) return undefined;
  const plain = (hasSequences ? text.replace(sequences, "") : text).replace(harmless, "");
  const at = plain.search(unsafe);
  return at === -1 ? undefined : JSON.stringify(plain.slice(Math.max(0, at - 40), at + 40));
}
