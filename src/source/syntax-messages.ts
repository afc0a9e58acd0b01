// Says in plain words what is wrong where YAML itself is broken. The parser names a rule of the YAML grammar;
// a person needs the slip that broke it, which the line itself usually shows.
import { lineAt } from "./positions.ts";
import type { Wording } from "./text-errors.ts";

/** What the parser can find wrong: its own closed set of codes. */
type FaultCode =
  | "ALIAS_PROPS"
  | "BAD_ALIAS"
  | "BAD_COLLECTION_TYPE"
  | "BAD_DIRECTIVE"
  | "BAD_DQ_ESCAPE"
  | "BAD_INDENT"
  | "BAD_PROP_ORDER"
  | "BAD_SCALAR_START"
  | "BLOCK_AS_IMPLICIT_KEY"
  | "BLOCK_IN_FLOW"
  | "DUPLICATE_KEY"
  | "IMPOSSIBLE"
  | "KEY_OVER_1024_CHARS"
  | "MISSING_CHAR"
  | "MULTILINE_IMPLICIT_KEY"
  | "MULTIPLE_ANCHORS"
  | "MULTIPLE_DOCS"
  | "MULTIPLE_TAGS"
  | "NON_STRING_KEY"
  | "RESOURCE_EXHAUSTION"
  | "TAB_AS_INDENT"
  | "TAG_RESOLVE_FAILED"
  | "UNEXPECTED_TOKEN";

export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  /** Offset into the text. */
  readonly from: number;
}

const quoteIt = 'put the whole text in quotes: "…"';
const alignIt = "indent it exactly like its neighbours, with spaces";
const closeIt = "close it, and check the commas between its entries";

const unreadable: Wording = {
  message: "this cannot be read as YAML",
  hint: "check the indentation, the quotes and the brackets on this line and the one before",
};
const badIndentation: Wording = { message: "this line's indentation fits nothing above it", hint: alignIt };
const noValue: Wording = {
  message: "this looks like a field, but no value follows it",
  hint: 'write the field\'s name, a colon, a space and the value: "name: value"',
};
const manyProperties: Wording = {
  message: "a value can have only one anchor and one tag, directly before it",
  hint: `remove the other one; if it is meant as text, ${quoteIt}`,
};
const badAlias: Wording = {
  message: "this anchor or alias has no usable name",
  hint: `write a name directly after the & or *; if it is meant as text, ${quoteIt}`,
};

/** What the code alone tells, where the line shows no common slip. */
const byCode = {
  ALIAS_PROPS: manyProperties,
  BAD_ALIAS: badAlias,
  BAD_COLLECTION_TYPE: unreadable,
  BAD_DIRECTIVE: {
    message: "this directive cannot be read",
    hint: 'remove the line; a line that starts with "%" is an instruction to the YAML parser',
  },
  BAD_DQ_ESCAPE: {
    message: "this backslash starts no escape that YAML knows",
    hint: String.raw`write \\ for a backslash, or use single quotes, where a backslash is just text`,
  },
  BAD_INDENT: badIndentation,
  BAD_PROP_ORDER: manyProperties,
  BAD_SCALAR_START: { message: "text cannot start with this character", hint: quoteIt },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "the next line is indented as if it belonged to this value",
    hint: "indent the next line exactly like the field it stands under",
  },
  BLOCK_IN_FLOW: { message: "an entry inside brackets or braces is not finished", hint: closeIt },
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
    hint: `write the name as plain text; ${quoteIt} if it starts with a bracket or brace`,
  },
  RESOURCE_EXHAUSTION: unreadable,
  TAB_AS_INDENT: {
    message: "a tab is used as indentation",
    hint: "use spaces: YAML does not allow tabs there",
  },
  TAG_RESOLVE_FAILED: unreadable,
  UNEXPECTED_TOKEN: unreadable,
} satisfies Record<FaultCode, Wording>;

/** A slip that the parser's message gives away, whatever the line looks like. */
const byMessage: readonly (readonly [pattern: RegExp, wording: Wording])[] = [
  [
    /^Missing closing ["']quote/,
    { message: "this quote is never closed", hint: "close it with the same quote at the end of the text" },
  ],
  [
    /must (?:be sufficiently indented and )?end with a \]/,
    { message: 'a "[" before this is never closed', hint: closeIt },
  ],
  [
    /must (?:be sufficiently indented and )?end with a \}/,
    { message: 'a "{" before this is never closed', hint: closeIt },
  ],
  [
    /^Comments must be separated/,
    { message: 'a "#" directly after a value starts no comment', hint: 'put a space before the "#"' },
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
    { message: "this bracket or brace closes nothing", hint: "remove it, or open it before" },
  ],
];

/** A slip that the broken line shows, whatever rule of the grammar it happened to break. */
const byLine: readonly (readonly [pattern: RegExp, wording: Wording])[] = [
  [
    /^\s*```/,
    { message: "this is a Markdown fence, not YAML", hint: "keep only the lines between the fences" },
  ],
  [
    /^\s*-[\p{L}"']/u,
    { message: 'a space is missing after the "-"', hint: 'write "- " before each entry of a list' },
  ],
  [
    /^\s*(?:- +)*[\p{L}_]+:[^\s:/]/u,
    {
      message: "a space is missing after the colon",
      hint: 'write "name: value", with a space after the colon',
    },
  ],
  [
    /^\s*(?:- +)*[\p{L}_]+: +[^\s"'[{#&*!|>][^#]*:(?: |$)/u,
    { message: 'a ": " inside text starts a new mapping', hint: quoteIt },
  ],
  [
    /^\s*(?:- +)*[\p{L}_]+: +["'[{*].*[\]}"'*\p{L}]/u,
    {
      message: "more text follows where the value has ended",
      hint: `${quoteIt}, and write a quote inside it as \\"`,
    },
  ],
];

/** The faults where the line says more than the code; elsewhere it would only mislead. */
const lineTellsMore: readonly FaultCode[] = [
  "BLOCK_AS_IMPLICIT_KEY",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "UNEXPECTED_TOKEN",
  "BAD_SCALAR_START",
];

/** Explains one fault that the parser found in `text`. */
export function explainFault(fault: Fault, text: string): Wording {
  const told = byMessage.find(([pattern]) => pattern.test(fault.message));
  if (told !== undefined) return told[1];
  const line = lineAt(text, fault.from).slice(0, 1000);
  const shown = lineTellsMore.includes(fault.code) && byLine.find(([pattern]) => pattern.test(line));
  return shown ? shown[1] : byCode[fault.code];
}
