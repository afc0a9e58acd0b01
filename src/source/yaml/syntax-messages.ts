// The messages for syntax errors. The parser names a rule of the YAML grammar; a person needs the mistake, which the
// line itself usually shows.
import type { YAMLError } from "yaml";
import type { DiagnosticMessage } from "../../diagnostic.ts";
import type { ExplainedError } from "../text-errors.ts";
import {
  explainBraces,
  explainComma,
  explainIndentation,
  explainLine,
  quoteHint,
  tabMessage,
} from "./line-mistakes.ts";

type ParserErrorCode = YAMLError["code"];

export interface ParserError {
  readonly code: ParserErrorCode;
  readonly message: string;
  readonly from: number;
}

const alignHint = "indent it exactly like its neighbours, with spaces";
const closeHint = "close it, and check the commas between its entries";

const unreadable: DiagnosticMessage = {
  message: "this cannot be read as YAML",
  hint: "check the indentation, the quotes and the brackets on this line and the one before",
};
const badIndentation: DiagnosticMessage = {
  message: "the indentation of this line matches no line above it",
  hint: alignHint,
};
const entryBelowValue: DiagnosticMessage = {
  message: "this entry of a list stands below a field that has its value already",
  hint: "remove the entry, or the value of the field above it",
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
  BLOCK_AS_IMPLICIT_KEY: {
    message: "the next line is indented as if it belonged to this value",
    hint: "indent the next line exactly like the field it stands under",
  },
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
  TAB_AS_INDENT: tabMessage,
  TAG_RESOLVE_FAILED: unreadable,
  UNEXPECTED_TOKEN: unreadable,
} satisfies Record<ParserErrorCode, DiagnosticMessage>;

/** The messages by the parser's own message, for any line. */
const byMessage: readonly (readonly [pattern: RegExp, message: DiagnosticMessage])[] = [
  [
    /^Missing closing ["']quote/,
    { message: "this quote is never closed", hint: "close it with the same quote at the end of the text" },
  ],
  [
    /must (?:be sufficiently indented and )?end with a \]/,
    { message: 'a "[" before this is never closed', hint: closeHint },
  ],
  [
    /must (?:be sufficiently indented and )?end with a \}/,
    { message: 'a "{" before this is never closed', hint: closeHint },
  ],
  [
    /^Comments must be separated/,
    { message: 'a "#" directly after a value does not start a comment', hint: 'put a space before the "#"' },
  ],
  [
    /^Unexpected , in|^Unexpected empty item/,
    { message: "an entry is missing before this comma", hint: "remove the comma, or write the entry" },
  ],
  [/^Missing , /, { message: "a comma is missing between two entries", hint: "put a comma between them" }],
  [
    /header includes extra characters|^Not a YAML token/,
    {
      message: "text cannot follow the | or > that starts a block of text",
      hint: "start the text on the next line, indented",
    },
  ],
  [/^Sequence item without|must start at the same column/, badIndentation],
  [
    /directives-end/,
    {
      message: 'a "---" line is missing here',
      hint: 'put "---" on its own line between the directives and the document',
    },
  ],
  [
    /^Unexpected double-quoted-scalar token|^Unexpected flow-\w+-start at node end/,
    { message: "a comma is missing between two entries", hint: "put a comma between them" },
  ],
  [
    /^Unexpected flow-\w+-end token/,
    { message: "this bracket or brace has no opening one", hint: "remove it, or add the opening one" },
  ],
];

/** The codes for which the line is more specific than the code. For the others the line would mislead. */
const codesByLine: readonly ParserErrorCode[] = [
  "BLOCK_AS_IMPLICIT_KEY",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "UNEXPECTED_TOKEN",
  "BAD_SCALAR_START",
];

/** The codes of errors that other characters than spaces cause in an indentation. */
const codesByIndentation: readonly ParserErrorCode[] = [...codesByLine, "BAD_INDENT", "TAB_AS_INDENT"];

export function explainParserError(error: ParserError, text: string): ExplainedError {
  const inBraces = error.message.startsWith("Missing closing") ? undefined : explainBraces(text, error.from);
  if (inBraces !== undefined) return inBraces;
  const comma = error.code === "BLOCK_IN_FLOW" ? explainComma(text, error.from) : undefined;
  if (comma !== undefined) return comma;
  const entry = byMessage.find(([pattern]) => pattern.test(error.message));
  if (entry !== undefined && entry[1] !== badIndentation) return entry[1];
  const isIndentation = entry !== undefined || codesByIndentation.includes(error.code);
  const odd = isIndentation ? explainIndentation(text, error.from) : undefined;
  if (odd !== undefined) return odd;
  if (entry !== undefined) return entry[1];
  const byLine = codesByLine.includes(error.code) ? explainLine(text, error.from) : undefined;
  if (byLine === undefined && error.message.startsWith("A block sequence may not")) return entryBelowValue;
  return byLine ?? byCode[error.code];
}
