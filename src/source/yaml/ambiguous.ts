// For speed: finds the syntax that parsers of YAML read differently, so that a fast one can read the rest.
import { placeholder } from "../../incident/rules.ts";

/**
 * The syntax that the parsers read differently, or might, and syntax that simple-yaml.ts does not look for. Each
 * alternative starts with its rarest character and looks back from there, which halves the time of the search.
 */
const ambiguous = new RegExp(
  [
    // A text that a "#" may cut short, for the warning.
    String.raw`#(?<= .)[^\s#]`,
    // A placeholder, which is an error.
    placeholder,
    // Control characters, including tabs, a lone carriage return, and a byte order mark or a noncharacter in the text.
    // The range is \p{Cc}, which V8 would look up at each start.
    String.raw`[\x00-\x09\x0B\x0C\x0E-\x1F\x7F-\x9F\uFEFF\uFFFE\uFFFF]|\r(?!\n)`,
    // Variables, and escapes that could hide a variable or a quote.
    String.raw`\$|\\["xuU]`,
    // Anchors, aliases, tags, directives, complex keys, and the markers of a merge conflict.
    String.raw`!(?<=(?:^|[\s[{,:?-]).)|[&*](?<=(?:^|[\s[{,:?-]).)\S|%(?<=^.)|\?(?<=(?:^|[\s[{,-]).)(?:\s|$)|<<<<<<<`,
    // A document marker with more text on its line, and a comment directly after a value.
    String.raw`(?:-(?<=^.)--|\.(?<=^.)\.\.)[^\n\r]|#(?<=["'\]}[{,].)`,
    // Quotes over several lines, whose indentation only one parser checks.
    String.raw`["'](?<=(?:^|[-:,[{]) *.)(?:(?<=")[^"\n]*|(?<=')(?:[^'\n]|'')*)$`,
    // Block scalars with an indicator other than -, and spaces at the end of a line.
    String.raw`[|>](?<=[\s:?-].)(?!-?$)| $`,
  ].join("|"),
  "mu",
);

/** Whether parsers might read the text differently, or its author might mean something else. */
export function isAmbiguous(text: string): boolean {
  return ambiguous.test(text) || !hasPlainBrackets(text);
}

/**
 * Whether brackets close on the line that opens them, because only one parser checks the indentation of further lines,
 * and no quotes are on that line.
 */
function hasPlainBrackets(text: string): boolean {
  let depth = 0;
  /** The end of the line that was searched for quotes. */
  let lineEnd = -1;
  const brackets = /[[\]{}]/g;
  while (brackets.test(text)) {
    const index = brackets.lastIndex - 1;
    const bracket = text[index];
    if (index > lineEnd) {
      if (depth > 0) return false;
      const lineStart = text.lastIndexOf("\n", index) + 1;
      lineEnd = (text.indexOf("\n", index) + 1 || text.length + 1) - 1;
      if (/["']/.test(text.slice(lineStart, lineEnd))) return false;
    }
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
