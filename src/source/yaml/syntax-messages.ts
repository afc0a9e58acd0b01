// The messages for syntax errors. The parser names a rule of the YAML grammar; a person needs the mistake, which the
// broken line usually shows.
import type { YAMLError } from "yaml";
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { findLookAlike, fullWidthColon, oddIndentation } from "../../text/look-alikes.ts";
import type { ExplainedError } from "../diagnostic-list.ts";
import { lineAt } from "../positions.ts";
import { indentationHint } from "./indentation.ts";

type ParserErrorCode = YAMLError["code"];

export interface ParserError {
  readonly code: ParserErrorCode;
  readonly message: string;
  readonly from: number;
}

const quoteHint = 'put the whole text in quotes: "…"';
const alignHint = "indent it exactly like its neighbours, with spaces";
const closeHint = "close it after its last entry, and check the commas between its entries";

const unreadable: DiagnosticMessage = {
  message: "this cannot be read as YAML",
  hint: "check the indentation, the quotes and the brackets on this line and the one before",
};
const badIndentation: DiagnosticMessage = {
  message: "the indentation of this line matches no line above it",
  hint: alignHint,
};
const badNextIndentation: DiagnosticMessage = {
  message: "the next line is indented as if it belonged to this value",
  hint: "indent the next line exactly like the field it stands under",
};
const noValue: DiagnosticMessage = {
  message: "this line is not a field: it has no colon",
  hint: 'write "name: value"; if the line continues the text above, indent it further than its field',
};
const manyProperties: DiagnosticMessage = {
  message: "a value can have only one anchor and one tag, directly before it",
  hint: `remove the other one; if it is meant as text, ${quoteHint}`,
};
const badAlias: DiagnosticMessage = {
  message: "this anchor or alias has no usable name",
  hint: `write a name directly after the & or *; if it is meant as text, ${quoteHint}`,
};

const moreText: DiagnosticMessage = {
  message: "more text follows where the value has ended",
  hint: `${quoteHint}, and write a quote inside it as \\"`,
};
const tabAsIndentation: DiagnosticMessage = {
  message: "a tab is used as indentation",
  hint: "use spaces: YAML does not allow tabs there",
};
const topLevelDash: DiagnosticMessage = {
  message: 'a field at the top level starts with "- "',
  hint: 'remove the "- "',
};

/** The messages by code alone, for lines that show no common mistake. */
const byCode = {
  ALIAS_PROPS: manyProperties,
  BAD_ALIAS: badAlias,
  BAD_COLLECTION_TYPE: unreadable,
  BAD_DIRECTIVE: {
    message: "this directive cannot be read",
    hint: 'remove the line; a line that starts with "%" is an instruction to the YAML parser',
  },
  BAD_DQ_ESCAPE: {
    message: "this backslash does not start a YAML escape",
    hint: String.raw`write \\ for a backslash, or use single quotes, where a backslash is just text`,
  },
  BAD_INDENT: badIndentation,
  BAD_PROP_ORDER: manyProperties,
  BAD_SCALAR_START: { message: "text cannot start with this character", hint: quoteHint },
  BLOCK_AS_IMPLICIT_KEY: badNextIndentation,
  BLOCK_IN_FLOW: { message: "an entry inside brackets or braces is not finished", hint: closeHint },
  DUPLICATE_KEY: unreadable,
  IMPOSSIBLE: unreadable,
  KEY_OVER_1024_CHARS: {
    message: "a field's name is longer than 1024 characters",
    hint: "check for a missing quote or colon before it",
  },
  MISSING_CHAR: noValue,
  MULTILINE_IMPLICIT_KEY: noValue,
  MULTIPLE_ANCHORS: manyProperties,
  MULTIPLE_DOCS: unreadable,
  MULTIPLE_TAGS: manyProperties,
  NON_STRING_KEY: {
    message: "a list, a mapping or an alias cannot be a field's name",
    hint: `write the name as plain text; ${quoteHint} if it starts with a bracket or brace`,
  },
  RESOURCE_EXHAUSTION: unreadable,
  TAB_AS_INDENT: tabAsIndentation,
  TAG_RESOLVE_FAILED: unreadable,
  UNEXPECTED_TOKEN: unreadable,
} satisfies Record<ParserErrorCode, DiagnosticMessage>;

type Words = DiagnosticMessage & Pick<ExplainedError, "correction">;

/** A mistake in the text at an error. The words are a function where they quote the text. */
type Mistake = (Words | { readonly words: (groups: Readonly<Record<string, string>>) => Words }) & {
  /** The parser's code and message, as `BAD_INDENT: All collection items …`; those of a line unless it says otherwise. */
  readonly error?: RegExp;
  /** The text that has the pattern: the line unless it says otherwise. `start`: every line up to it; `before`: no more. */
  readonly within?: "line" | "line and above" | "start" | "before" | "character before";
  /** The group `at` is the location of the mistake, if that is not where the parser stops. */
  readonly pattern?: RegExp;
  /** Whether errors in the rest of the block follow from this one. */
  readonly hidesBlock?: true;
};

/** The codes for which the line is more specific than the code. For the others the line would mislead. */
const lineCodes =
  "BLOCK_AS_IMPLICIT_KEY|MISSING_CHAR|MULTILINE_IMPLICIT_KEY|UNEXPECTED_TOKEN|BAD_SCALAR_START";
const lineErrors = new RegExp(`^(?:${lineCodes}):`);

/** The errors that a wrong character in the indentation, or after the dash of an entry, can give. */
const indentationErrors = new RegExp(
  `^(?:${lineCodes}|BAD_INDENT|TAB_AS_INDENT):|: Sequence item without|at the same column`,
);

const plainField = String.raw`\s*(?:- +)*[\p{L}_]+:`;
const field = String.raw`\s*(?:- +)*["']?[\p{L}_]+["']?:`;
const emptyList = String.raw`${field}[^\S\n]*(?<at>\[[^\S\n]*\])[^\S\n]*(?:#.*)?\n`;
const topLevelField = String.raw`["']?[\p{L}_]+["']?:(?: .*)?\r?\n?`;
const blankLines = String.raw`(?:[^\S\n]*(?:#.*)?\n)*`;
/** After a field without a value at the top level, entries may start there. */
const listAtTopLevel = String.raw`(?:^|\n)["']?[\p{L}_]+["']?:[^\S\n]*(?:#.*)?\r?\n(?:(?:- |[ \t#]).*\n|\r?\n)*`;
const startOfDocument = String.raw`(?:^|\n---.*\n)${blankLines}`;
const oddSpaces = String.raw`\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;

/** A bracket that is never closed. The parser reports a later line, so that the text before it is searched. */
function unclosed(open: string, close: string): readonly Mistake[] {
  const error = new RegExp(`must (?:be sufficiently indented and )?end with a \\${close}`);
  const other = `[^\\${open}\\${close}]`;
  const pattern = new RegExp(`(?<at>\\${open})(?:${other}|\\${open}${other}*\\${close})*$`, "d");
  return [
    {
      error,
      within: "before",
      pattern,
      message: `this "${open}" is never closed`,
      hint: closeHint,
    },
    { error, message: `a "${open}" before this is never closed`, hint: closeHint },
  ];
}

const mistakes: readonly Mistake[] = [
  {
    // A variable as other tools write it, which the parser reads as two mappings.
    error: /^(?!\w+: Missing closing)/,
    pattern: new RegExp(
      `^${field} +(?:.*?)(?<at>\\{\\{\\s*[$.]?(?<name>[A-Za-z_][\\w.-]*)[^}]*\\}\\})`,
      "du",
    ),
    words: ({ name }) => ({
      message: 'a variable does not start with "{{"',
      hint: `write a variable as \${${name}}`,
    }),
  },
  {
    error: /^BLOCK_IN_FLOW/,
    pattern: new RegExp(`^${field} *[[{-][^"']*?(?<at>[\\uff0c\\u3001\\u060c])`, "du"),
    words: ({ at = "" }) => ({
      message: `this is ${findLookAlike(at)?.name ?? "a comma of another script"}, which only looks like a comma`,
      hint: 'write a comma and a space: ", "',
      correction: ",",
    }),
  },
  {
    error: /: Missing closing ["']quote/,
    message: "this quote is never closed",
    hint: "close it with the same quote at the end of the text",
  },
  ...unclosed("[", "]"),
  ...unclosed("{", "}"),
  {
    error: /: Comments must be separated/,
    message: 'a "#" directly after a value does not start a comment',
    hint: 'put a space before the "#"',
  },
  {
    error: /: Unexpected (?:, in|empty item)/,
    message: "an entry is missing before this comma",
    hint: "remove the comma, or write the entry",
  },
  {
    error: /header includes extra characters|: Not a YAML token/,
    message: "text cannot follow the | or > that starts a block of text",
    hint: "start the text on the next line, indented",
  },
  {
    error: /directives-end/,
    message: 'a "---" line is missing here',
    hint: 'put "---" on its own line between the directives and the document',
  },
  {
    error: /: Missing , |: Unexpected (?:double-quoted-scalar token|flow-\w+-start at node end)/,
    message: "a comma is missing between two entries",
    hint: "put a comma between them",
  },
  {
    error: /: Unexpected flow-\w+-end token/,
    message: "this bracket or brace has no opening one",
    hint: "remove it, or add the opening one",
  },
  {
    error: indentationErrors,
    pattern: new RegExp(`^ *(?:- +)*-(?<at>[${oddSpaces}]+)`, "du"),
    words: ({ at = "" }) => ({
      message: `after the dash stands ${findLookAlike(at)?.name}, which looks like a space`,
      hint: "write a space after the dash",
      correction: " ",
    }),
  },
  {
    error: indentationErrors,
    pattern: new RegExp(`^ *(?<at>[\\t${oddSpaces}]+)`, "d"),
    words: ({ at = "" }) => (at.startsWith("\t") ? tabAsIndentation : oddIndentation(at)),
  },
  {
    error: indentationErrors,
    within: "line and above",
    pattern: new RegExp(
      `${field} +[|>][-+\\d]*[^\\S\\n]*\\n(?:[^\\S\\n]*\\n)*(?! *(?:- |#|${field}))[^\\n]+$`,
      "u",
    ),
    message: "this text stands below a | or >, and is not indented more than its field",
    hint: "indent the text more than its field",
    hidesBlock: true,
  },
  { error: /: Sequence item without|must start at the same column/, words: () => badIndentation },
  {
    within: "line and above",
    pattern: new RegExp(`(?:^|\\n)${emptyList}${blankLines}[^\\S\\n]*- .*$`, "du"),
    message: "this list is empty, but entries follow below it",
    hint: 'remove "[]", or remove the entries',
  },
  {
    within: "start",
    pattern: new RegExp(
      `${startOfDocument}(?<at>-) +${topLevelField}(?:(?:- |[ \\t#]).*\\n|\\r?\\n)*${topLevelField}$`,
      "du",
    ),
    ...topLevelDash,
  },
  {
    within: "start",
    pattern: new RegExp(
      `${startOfDocument}(?<at> +)["']?[\\p{L}_]+["']?:.*\\n(?:[ \\t#].*\\n|\\r?\\n)*${topLevelField}$`,
      "du",
    ),
    message: "the first field is indented further than the fields below it",
    hint: "remove the spaces before it",
  },
  {
    pattern: /^\s*```/,
    message: "this is a Markdown fence, not YAML",
    hint: "keep only the lines between the fences",
  },
  {
    pattern: /^\s*(?<at>-|[•·‐-―−]\s*)[\p{L}"']/du,
    message: 'an entry of a list begins with a "-" and a space',
    hint: 'write "- " before each entry of a list',
    hidesBlock: true,
  },
  { pattern: /^\s*\/\//, message: 'a comment begins with "#"', hint: 'write "#" in the place of "//"' },
  { pattern: /^\s*(?:- +)*[A-Za-z_]+\s*(?<at>：\s*)/d, ...fullWidthColon },
  {
    pattern: new RegExp(`^${field}(?<at>[${oddSpaces}]+)`, "du"),
    words: ({ at = "" }) => ({
      message: `${findLookAlike(at)?.name} follows the colon, and looks like a space`,
      hint: "write a space after the colon",
      correction: " ",
    }),
  },
  {
    within: "line and above",
    pattern: new RegExp(`(?:^|\\n)(?<!${listAtTopLevel})(?<at>-) +["']?[\\p{L}_]+["']?:(?: .*)?$`, "du"),
    ...topLevelDash,
  },
  {
    pattern: new RegExp(`^${plainField}[^\\s:/]`, "u"),
    message: "a space is missing after the colon",
    hint: 'write "name: value", with a space after the colon',
  },
  {
    pattern: new RegExp(
      `^${field} +(?:"(?:[^"\\\\]|\\\\.)*"|'(?:[^']|'')*'|\\[[^\\]]*\\]|\\{[^}]*\\})\\s*(?<at>,)\\s*$`,
      "du",
    ),
    message: "a comma follows the value of this field",
    hint: "remove the comma: in YAML the end of the line ends the value",
  },
  {
    pattern: new RegExp(`^${plainField} +(?<text>[^\\s"'[{#&*!|>][^#]*:(?: .*)?)$`, "u"),
    words: ({ text = "" }) => ({ message: 'a ": " inside text starts a new mapping', hint: quotesFor(text) }),
  },
  { pattern: new RegExp(`^${plainField} +["'[{*].*[\\]}"'*\\p{L}]`, "u"), ...moreText },
  // The quote before the error ends a text that started on a line above.
  { within: "character before", pattern: /["']/, ...moreText },
  {
    error: /: A block sequence may not/,
    message: "this entry of a list stands below a field that has its value already",
    hint: "remove the entry, or the value of the field above it",
  },
];

/** The most characters of a line, and of the lines above it, that are searched. */
const maxLength = 1000;

export function explainParserError(parserError: ParserError, text: string): ExplainedError {
  const { code, from } = parserError;
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const line = lineAt(text, from).slice(0, maxLength);
  const start = Math.max(0, lineStart - maxLength);
  const parts = {
    line: { part: line, offset: lineStart },
    "line and above": { part: text.slice(start, lineStart) + line, offset: start },
    start: { part: start === 0 ? text.slice(0, lineStart) + line : "", offset: 0 },
    before: { part: text.slice(start, from), offset: start },
    "character before": { part: text.charAt(from - 1), offset: from - 1 },
  } as const satisfies Record<NonNullable<Mistake["within"]>, object>;
  for (const { error = lineErrors, hidesBlock, pattern, within = "line", ...said } of mistakes) {
    if (!error.test(`${code}: ${parserError.message}`)) continue;
    const { offset, part } = parts[within];
    const match = pattern?.exec(part);
    if (match === null) continue;
    const { at } = match?.indices?.groups ?? {};
    const explained = "words" in said ? said.words(match?.groups ?? {}) : said;
    return {
      ...withIndentation(explained, text, lineStart),
      ...(at && { span: { from: offset + at[0], to: offset + at[1] } }),
      ...(hidesBlock && { until: endOfBlock(text, lineStart, line) }),
    };
  }
  return withIndentation(byCode[code], text, lineStart);
}

/** The correction of an indentation names the column. Errors in the lines that it moves follow from this one. */
function withIndentation(explained: ExplainedError, text: string, lineStart: number): ExplainedError {
  if (explained !== badIndentation && explained !== badNextIndentation) return explained;
  const lines = text.split("\n");
  const line = text.slice(0, lineStart).split("\n").length - 1;
  const isBlank = (each: string) => /^\s*(?:#.*)?$/.test(each);
  const wrong =
    explained === badIndentation ? line : lines.findIndex((each, at) => at > line && !isBlank(each));
  const hint = indentationHint(lines, wrong) ?? explained.hint;
  const start = lines.slice(0, wrong).join("\n").length + 1;
  return { ...explained, hint, until: endOfBlock(text, start, lines[wrong] ?? "") };
}

function endOfBlock(text: string, lineStart: number, firstLine: string): number {
  const indentation = /^ */.exec(firstLine)?.[0].length ?? 0;
  if (indentation === 0) return lineStart + firstLine.length;
  const end = text.slice(lineStart).search(new RegExp(`\\n {0,${indentation - 1}}[^\\s]`));
  return end === -1 ? text.length : lineStart + end;
}

/** The quotes for a text: in single quotes only a single quote needs care. */
function quotesFor(text: string): string {
  if (!/["\\]/.test(text)) return quoteHint;
  const single = "put the whole text in single quotes: '…'";
  return text.includes("'") ? `${single}, and write a single quote inside it as ''` : single;
}
