// The common mistakes in YAML: how the line of an error shows each, and its correction. The parser names a rule of the
// grammar, and its own words stand for every other mistake.
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { findLookAlike } from "../../text/look-alikes.ts";

interface Mistake {
  /** The parser's code, the column of the error from 0, and its message. */
  readonly error: RegExp;
  /** Where the pattern is looked for: in the line, in it and the lines above, or in the text before the error. */
  readonly within?: "lines" | "before";
  /** Compiled where it is needed. The group `at` is the place of the mistake, if that is not where the parser stops. */
  readonly pattern?: string;
  /** Takes the text of the group `at`. */
  readonly words: DiagnosticMessage | ((at: string) => DiagnosticMessage);
  /** Where further errors follow from this one: in the rest of its block, or of the text. */
  readonly hides?: "block" | "text";
}

/** The errors of the parser that say less than their line. */
const anyLine =
  /^(?:BLOCK_AS_IMPLICIT_KEY|MISSING_CHAR|MULTILINE_IMPLICIT_KEY|UNEXPECTED_TOKEN|BAD_SCALAR_START) /;
const anyIndentation = new RegExp(`${anyLine.source}|^(?:BAD_INDENT|TAB_AS_INDENT|BLOCK_IN_FLOW) `);

const oddSpaces = String.raw`\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;
const field = String.raw` *(?:- +)*["']?[\p{L}_]+["']?:`;
const blankLines = String.raw`(?:[^\S\n]*(?:#.*)?\n)*`;

const quoteHint = 'put the whole text in quotes: "…", and write a quote inside it as \\"';
const topLevelDash = { message: 'a field at the top level starts with "- "', hint: 'remove the "- "' };

function looksLike(at: string): DiagnosticMessage {
  if (at.startsWith("\t"))
    return { message: "a tab is used as indentation", hint: "use spaces: YAML does not allow tabs there" };
  const found = findLookAlike(at);
  const plain = found?.plain === " " ? "a space" : `"${found?.plain || "- "}"`;
  return { message: `this is ${found?.name}, and not ${plain}`, hint: `write ${plain}` };
}

/** The first one that fits counts. */
export const mistakes: readonly Mistake[] = [
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
    within: "lines",
    pattern: `(?:^|\\n)${field} +[|>][-+\\d]*[^\\S\\n]*\\n(?:(?! *(?:- |#|${field})).*\\n)*(?! *(?:- |#|${field}))[^\\n]+$`,
    words: {
      message: "this line of a text below a | or > is not indented enough",
      hint: "indent the text more than its field, and each line at least like the first",
    },
    hides: "block",
  },
  {
    error: /^BLOCK_IN_FLOW |Missing , |Unexpected flow-\w+-start at node end/,
    words: {
      message: "an entry inside brackets or braces is not finished",
      hint: "put a comma between two entries, and close each bracket after its last entry",
    },
  },
  {
    error: anyLine,
    pattern: "^(?:<{7}|={7}|>{7})(?: |$)",
    words: {
      message: "this is a merge conflict that was not resolved",
      hint: "keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>",
    },
    hides: "text",
  },
  {
    error: /^/,
    within: "lines",
    pattern: String.raw`(?:^|\n) *(?<at>-)[\p{L}"'][^\n]*$|\n *- [^:\n]*\n *[^\s#-][^:\n]*$`,
    words: {
      message: 'an entry of a list begins with a "-" and a space',
      hint: 'write "- " before each entry of a list',
    },
    hides: "block",
  },
  {
    error: anyLine,
    pattern: String.raw`^(?!\s*(?:-(?! +[\p{L}_])|[{["'])|.*: |.*:$)`,
    words: {
      message: "this line is not a field: it has no colon with a space after it",
      hint: 'write "name: value", or "# …" for a comment; if the line continues the text above, indent it further than its field',
    },
  },
  {
    error: /header includes extra characters|Not a YAML token/,
    words: {
      message: "text cannot follow the | or > that starts a block of text",
      hint: "start the text on the next line, indented; or put the whole text in quotes",
    },
    hides: "block",
  },
  {
    error: /^NON_STRING_KEY /,
    words: {
      message: "a list, a mapping or an alias cannot be a field's name",
      hint: "write the name as plain text; put a value that starts with a bracket or brace in quotes",
    },
  },
  {
    error: anyLine,
    within: "lines",
    pattern: `(?:^|\\n)${field}[^\\S\\n]*(?<at>\\[[^\\]\\n]*\\])[^\\S\\n]*(?:#.*)?\\n${blankLines}[^\\S\\n]*- .*$`,
    words: {
      message: "this list has ended, but entries follow below it",
      hint: "remove the brackets with what is in them, or the entries below",
    },
  },
  {
    error: /^UNEXPECTED_TOKEN 0: Unexpected scalar at node end/,
    within: "lines",
    pattern: `(?:^|\\n---.*\\n)${blankLines}(?<at>-) `,
    words: topLevelDash,
  },
  { error: /^MULTILINE_IMPLICIT_KEY 0/, pattern: `^(?<at>-) +${field}`, words: topLevelDash },
  {
    error:
      /Sequence item without|must start at the same column|^BLOCK_AS_IMPLICIT_KEY 0: A block sequence|^BAD_INDENT |^UNEXPECTED_TOKEN 0: Unexpected scalar at node end/,
    words: {
      message: "the indentation of this line matches no line above it",
      hint: "indent it exactly like its neighbours, with spaces",
    },
    hides: "block",
  },
  {
    error: anyLine,
    pattern: `^${field} +(?<at>[?@%,\`])`,
    words: { message: "text cannot start with this character", hint: quoteHint },
  },
  {
    error: anyLine,
    pattern: String.raw`^\s*(?:- +)*[\p{L}_]+: +[^\s"'[{#&*!|>][^#]*:(?: .*)?$`,
    words: { message: 'a ": " inside text starts a new mapping', hint: quoteHint },
  },
  {
    error: anyLine,
    pattern: String.raw`^\s*(?:- +)*[\p{L}_]+: +["'[{*].*[\]}"'*\p{L},]|^ *\*`,
    words: { message: "more text follows where the value has ended", hint: `remove it, or ${quoteHint}` },
  },
  {
    error: /^BLOCK_AS_IMPLICIT_KEY /,
    words: {
      message: "the indentation of this line and the one below it do not fit together",
      hint: "indent each field exactly like its neighbours, with spaces",
    },
    hides: "block",
  },
];
