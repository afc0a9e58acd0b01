// The messages for syntax errors by the broken line, which usually shows the mistake that a person made.
// Over 220 lines because it is one table of mistakes.
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { findLookAlike, fullWidthColon, withoutLookAlikes } from "../../text/look-alikes.ts";
import { lineAt } from "../positions.ts";
import type { ExplainedError } from "../text-errors.ts";

export const quoteHint = 'put the whole text in quotes: "…"';

interface LineMistake {
  /** The group `at` is the location of the mistake, if that is not where the parser stops. */
  readonly pattern: RegExp;
  readonly explain: (match: RegExpExecArray) => DiagnosticMessage & Pick<ExplainedError, "correction">;
}

const field = String.raw`\s*(?:- +)*["']?[\p{L}_]+["']?:`;
const emptyList = String.raw`${field}[^\S\n]*(?<at>\[[^\S\n]*\])[^\S\n]*(?:#.*)?\n`;
const topLevelField = String.raw`["']?[\p{L}_]+["']?:(?: .*)?\r?\n?`;
const blankLines = String.raw`(?:[^\S\n]*(?:#.*)?\n)*`;

const moreText: DiagnosticMessage = {
  message: "more text follows where the value has ended",
  hint: `${quoteHint}, and write a quote inside it as \\"`,
};

export const tabMessage: DiagnosticMessage = {
  message: "a tab is used as indentation",
  hint: "use spaces: YAML does not allow tabs there",
};

const topLevelDash: DiagnosticMessage = {
  message: 'a field at the top level starts with "- "',
  hint: 'remove the "- "',
};

const maxLength = 1000;

/** A variable as other tools write it, which the parser reads as two mappings. */
const braces: LineMistake = {
  pattern: new RegExp(`^${field} +(?:.*?)(?<at>\\{\\{\\s*[$.]?(?<name>[A-Za-z_][\\w.-]*)[^}]*\\}\\})`, "du"),
  explain: ({ groups: { name } = {} }) => ({
    message: 'a variable does not start with "{{"',
    hint: `write a variable as \${${name}}`,
  }),
};

/** An entry of a list, after a line that has already written the list as empty. Tested against both lines. */
const entryOfEmptyList: LineMistake = {
  pattern: new RegExp(`(?:^|\\n)${emptyList}${blankLines}[^\\S\\n]*- .*$`, "du"),
  explain: () => ({
    message: "this list is empty, but entries follow below it",
    hint: 'remove "[]", or remove the entries',
  }),
};

/** Fields of a document whose first field is written as an entry of a list. Tested against all lines so far. */
const entryBeforeFields: LineMistake = {
  pattern: new RegExp(
    `(?:^|\\n---.*\\n)${blankLines}(?<at>-) +${topLevelField}(?:(?:- |[ \\t#]).*\\n|\\r?\\n)*${topLevelField}$`,
    "du",
  ),
  explain: () => topLevelDash,
};

/** A document whose first field is indented, and the next one is not. Tested against all lines so far. */
const indentedFirstField: LineMistake = {
  pattern: new RegExp(
    `(?:^|\\n---.*\\n)${blankLines}(?<at> +)["']?[\\p{L}_]+["']?:.*\\n(?:[ \\t#].*\\n|\\r?\\n)*${topLevelField}$`,
    "du",
  ),
  explain: () => ({
    message: "the first field is indented further than the fields below it",
    hint: "remove the spaces before it",
  }),
};

const oddSpaces = String.raw`\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;

/** A character in the place of the spaces of an indentation. */
const oddIndentation: LineMistake = {
  pattern: new RegExp(`^ *(?<at>[\\t${oddSpaces}]+)`, "d"),
  explain: ({ groups: { at = "" } = {} }) =>
    at.startsWith("\t")
      ? tabMessage
      : {
          message: `${findLookAlike(at)?.name} is used as indentation, and looks like a space`,
          hint: "use spaces instead",
          correction: withoutLookAlikes(at),
        },
};

/** A character that looks like the comma of a list or mapping on one line. */
const oddComma: LineMistake = {
  pattern: new RegExp(`^${field} *[[{-][^"']*?(?<at>[\\uff0c\\u3001\\u060c])`, "du"),
  explain: ({ groups: { at = "" } = {} }) => ({
    message: `this is ${findLookAlike(at)?.name ?? "a comma of another script"}, which only looks like a comma`,
    hint: 'write a comma and a space: ", "',
    correction: ",",
  }),
};

const missingSpace: LineMistake = {
  pattern: /^\s*(?<at>-)[\p{L}"']/du,
  explain: () => ({
    message: 'a space is missing after the "-"',
    hint: 'write "- " before each entry of a list',
  }),
};

const byLine: readonly LineMistake[] = [
  {
    pattern: /^\s*```/,
    explain: () => ({
      message: "this is a Markdown fence, not YAML",
      hint: "keep only the lines between the fences",
    }),
  },
  missingSpace,
  {
    pattern: /^\s*(?:- +)*[A-Za-z_]+\s*(?<at>：\s*)/d,
    explain: () => fullWidthColon,
  },
  {
    pattern: new RegExp(`^${field}(?<at>[${oddSpaces}]+)`, "du"),
    explain: ({ groups: { at = "" } = {} }) => ({
      message: `${findLookAlike(at)?.name} follows the colon, and looks like a space`,
      hint: "write a space after the colon",
      correction: " ",
    }),
  },
  {
    pattern: /^(?<at>-) +["']?[\p{L}_]+["']?:(?: |$)/du,
    explain: () => topLevelDash,
  },
  {
    pattern: /^\s*(?:- +)*[\p{L}_]+:[^\s:/]/u,
    explain: () => ({
      message: "a space is missing after the colon",
      hint: 'write "name: value", with a space after the colon',
    }),
  },
  {
    pattern: new RegExp(
      `^${field} +(?:"(?:[^"\\\\]|\\\\.)*"|'(?:[^']|'')*'|\\[[^\\]]*\\]|\\{[^}]*\\})\\s*(?<at>,)\\s*$`,
      "du",
    ),
    explain: () => ({
      message: "a comma follows the value of this field",
      hint: "remove the comma: in YAML the end of the line ends the value",
    }),
  },
  {
    pattern: /^\s*(?:- +)*[\p{L}_]+: +(?<text>[^\s"'[{#&*!|>][^#]*:(?: .*)?)$/u,
    explain: ({ groups: { text = "" } = {} }) => ({
      message: 'a ": " inside text starts a new mapping',
      hint: quotesFor(text),
    }),
  },
  {
    pattern: /^\s*(?:- +)*[\p{L}_]+: +["'[{*].*[\]}"'*\p{L}]/u,
    explain: () => moreText,
  },
];

/** The message for the line at the offset where the parser stops, and for the lines above it. */
export function explainLine(text: string, from: number): ExplainedError | undefined {
  const line = lineAt(text, from).slice(0, maxLength);
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const above = text.slice(Math.max(0, lineStart - maxLength), lineStart);
  const isWhole = above.length === lineStart;
  const withAbove =
    explainMatch(entryOfEmptyList, above + line, lineStart - above.length) ??
    (isWhole ? explainMatch(entryBeforeFields, above + line, 0) : undefined) ??
    (isWhole ? explainMatch(indentedFirstField, above + line, 0) : undefined);
  if (withAbove !== undefined) return withAbove;
  const mistake = byLine.find(({ pattern }) => pattern.test(line));
  // The quote before the error ends a text that started on a line above.
  if (mistake === undefined && /["']/.test(text.charAt(from - 1))) return moreText;
  const explained = mistake && explainMatch(mistake, line, lineStart);
  return mistake === missingSpace && explained
    ? { ...explained, until: endOfBlock(text, lineStart, line) }
    : explained;
}

function endOfBlock(text: string, lineStart: number, firstLine: string): number {
  const indentation = /^ */.exec(firstLine)?.[0].length ?? 0;
  if (indentation === 0) return lineStart + firstLine.length;
  const end = text.slice(lineStart).search(new RegExp(`\\n {0,${indentation - 1}}[^\\s]`));
  return end === -1 ? text.length : lineStart + end;
}

/** The message for a variable in braces, which the parser reports in many ways. */
export function explainBraces(text: string, from: number): ExplainedError | undefined {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  return explainMatch(braces, lineAt(text, from).slice(0, maxLength), lineStart);
}

/** The message for a line with a character that looks like a comma. */
export function explainComma(text: string, from: number): ExplainedError | undefined {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  return explainMatch(oddComma, lineAt(text, from).slice(0, maxLength), lineStart);
}

/** The message for a line whose indentation has other characters than spaces. */
export function explainIndentation(text: string, from: number): ExplainedError | undefined {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  return explainMatch(oddIndentation, lineAt(text, from).slice(0, maxLength), lineStart);
}

function explainMatch(
  { pattern, explain }: LineMistake,
  text: string,
  offset: number,
): ExplainedError | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const { at } = match.indices?.groups ?? {};
  if (at === undefined) return explain(match);
  return { ...explain(match), span: { from: offset + at[0], to: offset + at[1] } };
}

/** The quotes for a text: in single quotes only a single quote needs care. */
function quotesFor(text: string): string {
  if (!/["\\]/.test(text)) return quoteHint;
  const single = "put the whole text in single quotes: '…'";
  return text.includes("'") ? `${single}, and write a single quote inside it as ''` : single;
}
