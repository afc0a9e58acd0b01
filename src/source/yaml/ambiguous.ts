// For speed: finds the syntax that parsers of YAML read differently, so that a fast one can read the rest.

/**
 * The syntax that the parsers read differently, or might. Each alternative starts with its rarest character and looks
 * back from there, which halves the time of the search.
 */
const ambiguous = new RegExp(
  [
    // Control characters, including tabs, a lone carriage return, and a byte order mark or a noncharacter in the text.
    // The range is \p{Cc}, which V8 would look up at each start.
    String.raw`[\x00-\x09\x0B\x0C\x0E-\x1F\x7F-\x9F\uFEFF\uFFFE\uFFFF]|\r(?!\n)`,
    // Escapes of characters and quotes.
    String.raw`\\["xuU]`,
    // Anchors, aliases, tags, directives, complex keys, and the markers of a merge conflict.
    String.raw`!(?<=(?:^|[\s[{,:?-]).)|[&*](?<=(?:^|[\s[{,:?-]).)\S|%(?<=^.)|\?(?<=(?:^|[\s[{,-]).)(?:\s|$)|<<<<<<<`,
    // A document marker with more text on its line, and a comment directly after a value.
    String.raw`(?:-(?<=^.)--|\.(?<=^.)\.\.)[^\n\r]|#(?<=["'\]}[{,].)`,
    // Lists and mappings as keys.
    String.raw`[\]}] *:`,
    // Quotes over several lines, whose indentation only one parser checks.
    String.raw`["'](?<=(?:^|[-:,[{]) *.)(?:(?<=")[^"\n]*|(?<=')(?:[^'\n]|'')*)$`,
    // Block scalars with an indicator other than -, and spaces at the end of a line.
    String.raw`[|>](?<=[\s:?-].)(?!-?$)| $`,
  ].join("|"),
  "mu",
);

export function isAmbiguous(text: string): boolean {
  return ambiguous.test(text) || !hasPlainBrackets(text);
}

/**
 * Whether brackets close on the line that opens them, because only one parser checks the indentation of further lines,
 * no quotes are on that line, and no list or mapping is a key.
 */
function hasPlainBrackets(text: string): boolean {
  const open: string[] = [];
  /** The end of the line that was searched for quotes. */
  let lineEnd = -1;
  const brackets = /[[\]{}]/g;
  while (brackets.test(text)) {
    const index = brackets.lastIndex - 1;
    const bracket = text.charAt(index);
    if (index > lineEnd) {
      if (open.length > 0) return false;
      const lineStart = text.lastIndexOf("\n", index) + 1;
      lineEnd = (text.indexOf("\n", index) + 1 || text.length + 1) - 1;
      if (/["']/.test(text.slice(lineStart, lineEnd))) return false;
    }
    if (bracket === "]" || bracket === "}") {
      if (open.pop() === undefined) return false;
    } else if (open.at(-1) === "{" && !isAfterColon(text, index)) return false;
    else open.push(bracket);
  }
  return open.length === 0;
}

function isAfterColon(text: string, index: number): boolean {
  let before = index - 1;
  while (text[before] === " ") before -= 1;
  return text[before] === ":";
}
