// The common mistakes in YAML: how the line of an error shows each, and its correction. The parser names a rule of the
// grammar, and its own words stand for every other mistake.

import type { Diagnostic } from "../../diagnostic.ts";
import { findLookAlike, fullWidthColon, withoutLookAlikes } from "../../text/look-alikes.ts";

type Words = Pick<Diagnostic, "message" | "hint" | "correction">;

interface Mistake {
  /** The parser's code, the column of the error from 0, and its message. */
  readonly error?: RegExp;
  /** Where the pattern is looked for: in the line, in it and the lines above, or in the text before the error. */
  readonly within?: "lines" | "before";
  /** A text is compiled where it is needed. The group `at` is the location of the mistake, if that is not where the parser stops. */
  readonly pattern?: RegExp | string;
  readonly words: Words | ((groups: Readonly<Record<string, string>>) => Words);
  /** Whether errors in the rest of the block follow from this one. */
  readonly hidesBlock?: true;
}

const quoteHint = 'put the whole text in quotes: "…"';

/** The errors whose line is more specific than they are. */
export const anyLine =
  /^(?:BLOCK_AS_IMPLICIT_KEY|MISSING_CHAR|MULTILINE_IMPLICIT_KEY|UNEXPECTED_TOKEN|BAD_SCALAR_START) /;
const anyIndentation = new RegExp(`${anyLine.source}|^(?:BAD_INDENT|TAB_AS_INDENT) `);

const oddSpaces = String.raw`\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;
const plainField = String.raw`\s*(?:- +)*[\p{L}_]+:`;
const field = String.raw`\s*(?:- +)*["']?[\p{L}_]+["']?:`;
const blankLines = String.raw`(?:[^\S\n]*(?:#.*)?\n)*`;
const inLine = (pattern: string) => `^${pattern}`;

const quotedValue = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\]|\{[^}]*\})`;

const tab = { message: "a tab is used as indentation", hint: "use spaces: YAML does not allow tabs there" };
const noDash = {
  message: 'an entry of a list begins with a "-" and a space',
  hint: 'write "- " before each entry of a list',
};
const topLevelDash = { message: 'a field at the top level starts with "- "', hint: 'remove the "- "' };
export const badIndentation = {
  message: "the indentation of this line matches no line above it",
  hint: "indent it exactly like its neighbours, with spaces",
};
export const badNextIndentation = {
  message: "the next line is indented as if it belonged to this value",
  hint: "indent the next line exactly like the field it stands under",
};
const moreText = {
  message: "more text follows where the value has ended",
  hint: `${quoteHint}, and write a quote inside it as \\"`,
};

/** The first one that fits counts. */
export const mistakes: readonly Mistake[] = [
  {
    error: /^(?!.*Missing closing)/,
    pattern: inLine(`${field} +(?:.*?)(?<at>\\{\\{\\s*[$.]?(?<name>[A-Za-z_][\\w.-]*)[^}]*\\}\\})`),
    words: ({ name }) => ({
      message: 'a variable does not start with "{{"',
      hint: `write a variable as \${${name}}`,
    }),
  },
  {
    error: /^BLOCK_IN_FLOW /,
    pattern: inLine(`${field} *[[{-][^"']*?(?<at>[\\uff0c\\u3001\\u060c])`),
    words: ({ at = "" }) => ({
      message: `this is ${findLookAlike(at)?.name ?? "a comma of another script"}, which only looks like a comma`,
      hint: 'write a comma and a space: ", "',
      correction: ",",
    }),
  },
  {
    error: /Missing closing ["']quote/,
    words: {
      message: "this quote is never closed",
      hint: "close it with the same quote at the end of the text",
    },
  },
  ...["[]", "{}"].map(([open, close]): Mistake => {
    const other = `[^\\${open}\\${close}]`;
    return {
      error: new RegExp(`must (?:be sufficiently indented and )?end with a \\${close}`),
      within: "before",
      pattern: `(?<at>\\${open})(?:${other}|\\${open}${other}*\\${close})*$`,
      words: {
        message: `this "${open}" is never closed`,
        hint: "close it after its last entry, and check the commas between its entries",
      },
    };
  }),
  {
    error: anyIndentation,
    pattern: inLine(`(?:${field}| *(?:- +)*-?)(?<at>[\\t${oddSpaces}]+)`),
    words: ({ at = "" }) =>
      at.startsWith("\t")
        ? tab
        : {
            message: `this is ${findLookAlike(at)?.name}, and not a space`,
            hint: "write a space",
            correction: withoutLookAlikes(at) || " ",
          },
  },
  {
    error: anyIndentation,
    within: "lines",
    pattern: `${field} +[|>][-+\\d]*[^\\S\\n]*\\n(?:[^\\S\\n]*\\n)*(?! *(?:- |#|${field}))[^\\n]+$`,
    words: {
      message: "this text stands below a | or >, and is not indented more than its field",
      hint: "indent the text more than its field",
    },
    hidesBlock: true,
  },
  {
    error: anyIndentation,
    within: "lines",
    pattern: `${field} +[|>][-+\\d]*[^\\S\\n]*\\n(?:[^\\S\\n]*\\n)*( +)\\S.*\\n(?:\\1 *\\S.*\\n|[^\\S\\n]*\\n)*(?!\\1| *(?:- |#|${field}))[^\\n]+$`,
    words: {
      message: "this line of a text is indented less than its first line",
      hint: "indent it like the first line of the text",
    },
    hidesBlock: true,
  },
  {
    error: /^BLOCK_IN_FLOW |Missing , |Unexpected flow-\w+-start at node end/,
    words: {
      message: "an entry inside brackets or braces is not finished",
      hint: "put a comma between two entries, and close each bracket after its last entry",
    },
  },
  {
    error: /Comments must be separated/,
    words: {
      message: 'a "#" directly after a value does not start a comment',
      hint: 'put a space before the "#"',
    },
  },
  {
    error: /Not a YAML token/,
    pattern: /^\s*\|.*\|\s*$/,
    words: { message: "this is a table, not YAML", hint: 'write each field as "name: value" on a line' },
  },
  {
    error: /header includes extra characters|Not a YAML token/,
    words: {
      message: "text cannot follow the | or > that starts a block of text",
      hint: "start the text on the next line, indented; or put the whole text in quotes",
    },
    hidesBlock: true,
  },
  {
    error: /^NON_STRING_KEY /,
    words: {
      message: "a list, a mapping or an alias cannot be a field's name",
      hint: `write the name as plain text; ${quoteHint} if it starts with a bracket or brace`,
    },
  },
  {
    error: /Sequence item without|must start at the same column/,
    within: "lines",
    pattern: /\n *- [^:\n]*\n *[^\s#-][^:\n]*$/,
    words: noDash,
  },
  { error: /Sequence item without|must start at the same column/, words: badIndentation },
  {
    within: "lines",
    pattern: `(?:^|\\n)${field}[^\\S\\n]*(?<at>\\[[^\\]\\n]*\\])[^\\S\\n]*(?:#.*)?\\n${blankLines}[^\\S\\n]*- .*$`,
    words: ({ at }) => ({
      message: "this list has ended, but entries follow below it",
      hint: `remove "${at}", or the entries below it`,
    }),
  },
  { error: /^BLOCK_AS_IMPLICIT_KEY 0: A block sequence/, words: badIndentation },
  {
    error: /^UNEXPECTED_TOKEN 0: Unexpected scalar at node end/,
    within: "lines",
    pattern: `(?:^|\\n---.*\\n)${blankLines}(?<at>-) `,
    words: topLevelDash,
  },
  {
    error: /^UNEXPECTED_TOKEN 0: Unexpected scalar at node end/,
    within: "lines",
    pattern: `(?:^|\\n---.*\\n)${blankLines}(?<at> +)[^\\s#]`,
    words: {
      message: "the first field is indented further than the fields below it",
      hint: "remove the spaces before it",
    },
  },
  {
    pattern: /^\s*```/,
    words: { message: "this is a Markdown fence, not YAML", hint: "keep only the lines between the fences" },
  },
  {
    pattern: /^\s*(?<at>-|[•·‐-―−]\s*)[\p{L}"']/du,
    words: noDash,
    hidesBlock: true,
  },
  {
    pattern: /^\s*\/\//,
    words: { message: 'a comment begins with "#"', hint: 'write "#" in the place of "//"' },
  },
  { pattern: /^\s*(?:- +)*[A-Za-z_]+\s*(?<at>：\s*)/d, words: fullWidthColon },
  {
    pattern: /^\s*(?:- +)*(?<at>([*_]{1,2})(?<name>[A-Za-z]+)(?::\2|\2:))/d,
    words: ({ at, name }) => ({
      message: `"${at}" is the bold text of a chat, not a field`,
      hint: `write "${name}: ", here and in the other lines`,
    }),
  },
  {
    pattern: /^\s*[A-Za-z_]+ *(?<at>=)/d,
    words: { message: 'a field has a ":" after its name, and no "="', hint: 'write "name: value"' },
  },
  {
    pattern: inLine(`${field} +(?<at>\\?) `),
    words: { message: 'text cannot start with "? "', hint: quoteHint },
  },
  { error: /^MULTILINE_IMPLICIT_KEY 0/, pattern: inLine(`(?<at>-) +${field}`), words: topLevelDash },
  {
    pattern: inLine(`${plainField}[^\\s:/]`),
    words: {
      message: "a space is missing after the colon",
      hint: 'write "name: value", with a space after the colon',
    },
  },
  {
    pattern: inLine(`${field} +${quotedValue}\\s*(?<at>,)\\s*$`),
    words: {
      message: "a comma follows the value of this field",
      hint: "remove the comma: in YAML the end of the line ends the value",
    },
  },
  {
    pattern: inLine(`${plainField} +(?<text>[^\\s"'[{#&*!|>][^#]*:(?: .*)?)$`),
    words: ({ text = "" }) => ({
      message: 'a ": " inside text starts a new mapping',
      hint: quotesFor(text),
    }),
  },
  { pattern: inLine(`${plainField} +["'[{*].*[\\]}"'*\\p{L}]`), words: moreText },
  { within: "before", pattern: /["']$/, words: moreText },
  {
    error: /^(?:MISSING_CHAR|MULTILINE_IMPLICIT_KEY) /,
    words: {
      message: "this line is not a field: it has no colon",
      hint: 'write "name: value"; if the line continues the text above, indent it further than its field',
    },
  },
  { error: /^BAD_INDENT /, words: badIndentation },
  { error: /^BLOCK_AS_IMPLICIT_KEY /, words: badNextIndentation },
  {
    error: /^BAD_SCALAR_START /,
    words: { message: "text cannot start with this character", hint: quoteHint },
  },
  {
    error: /^BAD_DQ_ESCAPE /,
    words: {
      message: "this backslash does not start a YAML escape",
      hint: String.raw`write \\ for a backslash, or use single quotes, where a backslash is just text`,
    },
  },
];

/** The quotes for a text: in single quotes only a single quote needs care. */
function quotesFor(text: string): string {
  if (!/["\\]/.test(text)) return quoteHint;
  const single = "put the whole text in single quotes: '…'";
  return text.includes("'") ? `${single}, and write a single quote inside it as ''` : single;
}
