// Composes the nodes of a YAML text, within the limits of its size and depth.
import { Composer, CST, Lexer, Parser } from "yaml";
import type { TextError } from "./syntax-errors.ts";

const options = {
  version: "1.2",
  schema: "core",
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

const maxDepth = 100;

/** The most tokens of a text. No definition of 1 MiB has as many, and a file of commas would take 650 MB. */
const maxTokens = 450_000;

export function composeText(text: string, mostTokens = maxTokens) {
  const { refused, tokens } = readTokens(text, mostTokens);
  const composed = compose(tokens);
  const quote = openQuoteOf(composed);
  if (quote === undefined) return { composed, refused };
  // A quote that is never closed takes the rest of the text, unless another one follows in a line that is indented less.
  const again = compose(readTokens(`${text}\n#${quote}`, mostTokens).tokens);
  return { composed: openQuoteOf(again) === undefined ? composed : again, refused };
}

function openQuoteOf(composed: ReturnType<typeof compose>): string | undefined {
  const messages = composed.flatMap(({ errors }) => errors.map(({ message }) => message));
  return messages.flatMap((message) => /^Missing closing (.)/.exec(message)?.[1] ?? [])[0];
}

/** The tokens of a text within the limits. Composing much deeper text aborts the process. */
function readTokens(text: string, most: number) {
  const refuse = (refused: TextError) => ({ tokens: [], refused });
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    // A document takes as much memory as twenty tokens.
    count += lexeme === "---" ? 20 : 1;
    if (count > most) return refuse({ code: "file-too-large", pos: [0, 0], ...tooManyTokens });
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > maxDepth + 1 && CST.isCollection(parser.stack.at(-1)))
      return refuse({ code: "too-deep", pos: [offset, offset + 1], ...tooDeep });
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, refused: undefined };
}

/** The parser creates an `Error` for each mistake in a text; recording their stacks takes most of the time. */
function compose(tokens: readonly CST.Token[]) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return [...new Composer(options).compose(tokens, true)];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const tooManyTokens = {
  message: "this file has too many YAML tokens or documents",
  hint: "check for repeated lines; else split the file",
};

const tooDeep = {
  message: `lists and mappings are nested more than ${maxDepth} deep`,
  hint: "a definition needs four levels: check the brackets and the indentation",
};
