// The common mistakes in YAML: how the line of a syntax error shows each, and its correction.
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { looksLike } from "../../text/look-alikes.ts";

/** The characters of a class in a regular expression. */
export const oddSpaces = String.raw`\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;

/** `words` takes the text of the group `at`. */
type Mistake = (DiagnosticMessage | { readonly words: (at: string) => DiagnosticMessage }) & {
  /** The parser's code, the column of the error from 0, and its message. */
  readonly error: RegExp;
  /** Where the pattern is searched: in the line, in it and the lines above, or in the text before or after the error. */
  readonly within?: "lines" | "before" | "after";
  /** Compiled where it is needed. The group `at` is the place of the mistake, if that is not where the parser stops. */
  readonly pattern?: string;
  /** The part below it in which further errors follow from this one. */
  readonly hides?: "block" | "rest";
};

/** The codes of the parser whose messages say less than the line. */
const anyLine =
  /^(?:BLOCK_AS_IMPLICIT_KEY|MISSING_CHAR|MULTILINE_IMPLICIT_KEY|NON_STRING_KEY|UNEXPECTED_TOKEN|BAD_SCALAR_START) /;
const anyIndentation = new RegExp(`${anyLine.source}|^(?:BAD_INDENT|TAB_AS_INDENT|BLOCK_IN_FLOW) `);

const field = String.raw` *(?:- +)*["']?[\p{L}_]+["']?:`;
const blankLines = String.raw`(?:[^\S\n]*(?:#.*)?\n)*`;

const quoteHint = 'put the whole text in quotes: "…", and write a quote inside it as \\"';
const openQuote = {
  message: "this quote is never closed",
  hint: "close it with the same quote at the end of the text, and indent each further line of it more than its field",
};
const colonInText = { message: 'a ": " inside text starts a new mapping', hint: quoteHint };
const ownPart = {
  message: "this text has a part that YAML reads as its own",
  hint: `${quoteHint}; or remove what follows`,
};
const anotherDocument = {
  message: "another document begins here",
  hint: 'write a line "---" between two documents; a file of settings has one',
};
export const conflict = {
  message: "a merge conflict is left here",
  hint: "keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>",
};
export const disorder = "the indentation of this line and of those around it do not fit together";
const topLevelDash = { message: 'a field at the top level starts with "- "', hint: 'remove the "- "' };

/** The first mistake that fits counts. */
export const mistakes: readonly Mistake[] = [
  { error: /Missing closing ["']quote/, ...openQuote },
  { error: anyLine, pattern: '^[\\s{]*"[^"]*": *(?<at>")[^"]*$', ...openQuote, hides: "block" },
  { error: anyLine, pattern: "^(?<at><{7}|={7}|>{7})", ...conflict, hides: "rest" },
  {
    error: anyLine,
    pattern: "^ *(?<at>```)",
    message: "a fence of Markdown stands here",
    hint: "keep only the lines between the two fences",
    hides: "rest",
  },
  {
    error: /^/,
    pattern: "^ *(?:- +)*(?<at>\\{%|\\{\\{)",
    message: "a template language stands here, and YAML does not read it",
    hint: "let its tool write the file first, and check the result",
    hides: "rest",
  },
  {
    error: /^/,
    pattern: String.raw`(?<at>[\r\x85\u2028\u2029])`,
    message: "YAML reads this line break as a part of a text",
    hint: "save the file with the line breaks of Unix or Windows",
  },
  {
    error: /must (?:be sufficiently indented and )?end with a/,
    within: "before",
    pattern: String.raw`[[{][^\n]*\s(?<at>#)[^\n]*[\]}][^\n]*\s*$`,
    message: 'a "#" after a space begins a comment, which ends the line here',
    hint: quoteHint,
  },
  ...["[]", "{}"].map(([open, close]): Mistake => {
    const other = `[^\\${open}\\${close}]`;
    return {
      error: new RegExp(`must (?:be sufficiently indented and )?end with a \\${close}`),
      within: "before",
      pattern: `(?<at>\\${open})(?:${other}|\\${open}${other}*\\${close})*$`,
      message: `this "${open}" is never closed`,
      hint: "close it after its last entry, and check the commas between its entries",
    };
  }),
  {
    error: anyIndentation,
    pattern: `^(?:${field}| *(?:- +)*-?)(?<at>[\\t${oddSpaces}]+)`,
    words: looksLike,
  },
  {
    error: anyIndentation,
    pattern: `^(?:\\s*(?:- +)*(?:[A-Za-z_]+\\s*(?=：))?|${field} *[[{][^"']*?(?=，))(?<at>[：，•·▪‣‐-―−])`,
    words: looksLike,
  },
  {
    error: anyIndentation,
    pattern: "^ *(?<at>#)",
    message: "a comment ends the text above it",
    hint: "move it above the field of the text",
    hides: "block",
  },
  {
    error: anyIndentation,
    within: "lines",
    pattern: `(?:^|\\n)${field} +[|>][-+\\d]*[^\\S\\n]*\\n(?:(?! *(?:- |#|${field})).*\\n)*(?! *(?:- |#|${field}))[^\\n]+$`,
    message: "this line of a text below a | or > is not indented enough",
    hint: "indent the text more than its field, and each line at least like the first",
    hides: "block",
  },
  { error: /an empty string|flow-map-start at/, pattern: "[:{,[] *(?<at>[*&]|\\$(?=\\{))", ...ownPart },
  { error: /Unexpected flow-map-start at node end/, pattern: "^(?<at>\\{)", ...anotherDocument },
  { error: /^MULTILINE_IMPLICIT_KEY 0/, pattern: "^(?<at>-{4,})\\s*$", ...anotherDocument },
  {
    error: /Unexpected flow-(?:map|seq)-end/,
    message: "this bracket closes nothing",
    hint: "remove it, or open its list or mapping",
  },
  {
    error: /block-seq-ind on same line/,
    message: "a list cannot begin on the line of its field",
    hint: 'begin it on the next line; put a text that begins with "- " in quotes',
  },
  {
    error: /^BLOCK_IN_FLOW /,
    pattern: String.raw`[{,] *["']?[\p{L}_]+["']?: +[^\s"'{[][^,}\]]*: `,
    message: colonInText.message,
    hint: `if another field begins here, put a comma before it; else ${quoteHint}`,
  },
  {
    error: /^BLOCK_IN_FLOW |Missing , |^MULTILINE_.* in brackets|Unexpected flow-\w+-start at node end/,
    message: "an entry inside brackets or braces is not finished",
    hint: "put a comma between two entries, and close each bracket after its last entry",
  },
  {
    error: /^/,
    within: "lines",
    pattern: String.raw`(?:^|\n) *(?<at>-(?=[\p{L}"'])|\* )[^\n]*$|\n *- [^:\n]*\n *[^\s#-][^:\n]*$`,
    message: 'an entry of a list begins with a "-" and a space',
    hint: 'begin each entry of a list with "- "',
    hides: "block",
  },
  {
    error: anyLine,
    pattern: String.raw`^(?!\s*(?:-(?! +[\p{L}_])|[{["'])|.*: |.*:$)`,
    message: "this line is not a field: it has no colon with a space after it",
    hint: 'write "name: value", or "# …" for a comment; if the line continues the text above, indent it further than its field',
    hides: "block",
  },
  {
    error: /header includes extra characters|Not a YAML token/,
    message: "text cannot follow the | or > that starts a block of text",
    hint: "start the text on the next line, indented; or put the whole text in quotes",
    hides: "block",
  },
  {
    error: anyLine,
    within: "lines",
    pattern: `(?:^|\\n)${field}[^\\S\\n]*(?<at>\\[[^\\]\\n]*\\])[^\\S\\n]*(?:#.*)?\\n${blankLines}[^\\S\\n]*- .*$`,
    message: "this list has ended, but entries follow below it",
    hint: "remove the brackets with what is in them, or the entries below",
  },
  {
    error: /^UNEXPECTED_TOKEN 0: Unexpected scalar at node end/,
    within: "lines",
    pattern: `(?:^|\\n---.*\\n)${blankLines}(?<at>-) `,
    ...topLevelDash,
  },
  { error: /^MULTILINE_IMPLICIT_KEY 0/, pattern: `^(?<at>-) +${field}`, ...topLevelDash },
  {
    error: anyLine,
    pattern: String.raw`^\s*(?:- +)*[\p{L}_]+: +[^\s"'[{#&*!|>][^#]*:(?: .*)?$`,
    ...colonInText,
  },
  {
    error: anyLine,
    pattern: String.raw`^\s*(?:- +)*["']?[\p{L}_]+["']?: +(?:[?@%,\x60]|["'[{*].*[\]}"'*\p{L},])|^ *\*`,
    ...ownPart,
  },
  {
    error: /^BLOCK_AS_IMPLICIT_KEY /,
    within: "after",
    pattern: "^[^:]*\\n +(?![-*] )[^\\s:\"']+ +[^\\s:][^\\n:]*(?<at>:) ",
    ...colonInText,
    hides: "block",
  },
  {
    error:
      /Sequence item without|must start at the same column|^(?:BLOCK_AS_IMPLICIT_KEY|BAD_INDENT) |^UNEXPECTED_TOKEN 0: Unexpected scalar at node end/,
    within: "after",
    pattern: String.raw`^(?:[^:]*\n +(?<at>[\p{L}_]+):)?`,
    message: disorder,
    hint: "indent each field and each entry exactly like its neighbours, with spaces",
    hides: "block",
  },
];
