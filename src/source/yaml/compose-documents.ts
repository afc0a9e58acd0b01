// Parses a YAML text with positions, and with every error of the text. Pins YAML 1.2 core, and rejects input that would
// abort the parser, stall it, or silently change a value.
import * as yaml from "yaml";
import type { Diagnostic, DiagnosticMessage } from "../../diagnostic.ts";
import { type TextError, toDiagnostics } from "../diagnostic-list.ts";
import { createLocateSpan, createOrigins, type Origins } from "../positions.ts";
import { createSpanOf, markHint, readNodes } from "./nodes.ts";
import { unprintable } from "./render-yaml.ts";
import { explainParserError } from "./syntax-messages.ts";

export interface SourceDocument extends Origins {
  /** Its fields are own properties, with or without a prototype; an integer outside the safe range is a bigint. */
  readonly value: unknown;
  /** The number of the document in its file, from 1; empty documents do not count. */
  readonly index: number;
}

export interface ParsedText {
  readonly text: string;
  /** The readable documents; none for an empty text. */
  readonly documents: readonly SourceDocument[];
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses every document of `text`, the content of `file`. Never throws. */
export function composeDocuments(text: string, file: string): ParsedText {
  const locateSpan = createLocateSpan(text, file);
  const composed = composeText(text);
  // Their lists are joined at the end: so many arguments of a call overflow the stack.
  const errors: (readonly TextError[])[] = [composed.errors];
  const documents = composed.documents.flatMap(({ contents, errors: own }, position): SourceDocument[] => {
    const read = own.some(isFatal) ? undefined : readNodes(contents, text, locateSpan);
    errors.push(own, read?.errors ?? []);
    if (read === undefined || read.errors.some(isFatal)) return [];
    const origins = createOrigins(createSpanOf(contents, read.targets), locateSpan, text);
    return [{ value: read.value, ...origins, index: position + 1 }];
  });
  return {
    text,
    documents,
    count: composed.documents.length,
    diagnostics: toDiagnostics(errors.flat(), text, locateSpan),
  };
}

/** Whether the error makes the value unreliable, so that further checks would mislead. */
function isFatal({ code }: TextError): boolean {
  return code === "yaml-syntax" || code === "too-many-aliases";
}

/** The first and the last line of a merge conflict, for which the parser reports many errors. */
const [conflictStart, conflictEnd] = [/^<{7} .*/m, /^>{7} /m];

// The conversion of the nodes finds duplicate keys, because the parser's own search is quadratic.
const parseOptions = {
  version: "1.2",
  schema: "core",
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  intAsBigInt: true,
  logLevel: "silent",
} as const;

/** The value of the first document of a text of any length; undefined for text that is no YAML, or nested too deeply. */
export function parseYaml(text: string): unknown {
  const composed = composeText(text, Number.POSITIVE_INFINITY);
  const contents = composed.documents[0]?.contents ?? null;
  if ([composed, ...composed.documents].some(({ errors }) => errors.length > 0)) return undefined;
  const { errors, value } = readNodes(contents, text, createLocateSpan(text, ""));
  return errors.length > 0 ? undefined : value;
}

/** Composes every document of `text`. Never throws. */
function composeText(text: string, mostLexemes = maxLexemes) {
  const control = unprintable.exec(text);
  if (control !== null) return rejected("yaml-syntax", control.index, 1, controlMessage(control[0]));
  const conflict = conflictStart.exec(text);
  if (conflict !== null && conflictEnd.test(text))
    return rejected("yaml-syntax", conflict.index, conflict[0].length, {
      message: "this is a merge conflict that was not resolved",
      hint: "keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>",
    });
  const tokens: yaml.CST.Token[] = [];
  const errors: TextError[] = [];
  const quotes = new Map<number, number>();
  const parser = new yaml.Parser();
  const lexemes: string[] = [];
  let separators = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    if (lexeme === "---") separators += 1;
    if (lexemes.push(lexeme) > mostLexemes || separators > maxDocuments)
      return rejected("file-too-large", 0, 0, {
        message: `this file has more than ${maxLexemes} YAML tokens, or more than ${maxDocuments} documents`,
        hint: "check for repeated lines; else split the file",
      });
  }
  for (const lexeme of lexemes) {
    const from = parser.offset;
    if (lexeme.startsWith('"') || lexeme.startsWith("'")) quotes.set(from + lexeme.length, from);
    for (const token of parser.next(lexeme)) {
      if (isOtherVersion(token))
        errors.push(
          errorAt("yaml-version", token.offset, token.source.length, {
            message: "this asks for another version of YAML than 1.2",
            hint: "remove the line: files are always read as YAML 1.2",
          }),
        );
      else tokens.push(token);
    }
    if (parser.stack.length > maxDepth + 1 && yaml.CST.isCollection(parser.stack.at(-1))) {
      return rejected("too-deep", from, lexeme.length, {
        message: `lists and mappings are nested more than ${maxDepth} deep`,
        hint: "a definition needs four levels: check the brackets and the indentation",
      });
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new yaml.Composer(parseOptions);
  const composed = withoutStacks(() => [...composer.compose(tokens)]);
  const documents = composed
    .filter(({ contents, errors: own }) => own.length > 0 || !isEmpty(contents))
    .map(({ contents, errors: own, warnings }) => ({
      contents,
      errors: [...toTextErrors(own, text, quotes), ...toTextErrors(warnings.filter(isTag), text, quotes)],
    }));
  return { documents, errors: errors.concat(toTextErrors(composer.streamInfo().errors, text, quotes)) };
}

/** Converts the parser's errors. `quotes` maps the end of each quoted string to its start. */
function toTextErrors(
  errors: readonly yaml.YAMLError[],
  text: string,
  quotes: ReadonlyMap<number, number>,
): readonly TextError[] {
  // The parser often takes a broken list or mapping for the name of a field, and after a structural error it
  // reports every further token of the stream.
  const structural = errors.filter((error) => error.code !== "NON_STRING_KEY");
  const causes = structural.length > 0 ? structural : errors;
  const first = causes.filter((error, index) => index === 0 || !error.message.includes("in YAML stream"));
  return first.map((error) => {
    const [from, to] = error.pos;
    if (isTag(error)) return errorAt("unknown-tag", from, to - from, tagMessage(text, from, to));
    const isOpenQuote = error.message.startsWith("Missing closing");
    const start = isOpenQuote ? (quotes.get(from) ?? from) : from;
    const parserError = { code: error.code, message: error.message, from: start };
    return { code: "yaml-syntax", from: start, to, explain: () => explainParserError(parserError, text) };
  });
}

function isTag(error: yaml.YAMLError): boolean {
  return error.code === "TAG_RESOLVE_FAILED" || error.code === "BAD_COLLECTION_TYPE";
}

/** A directive for another version of YAML. The parser would follow it and read `NO` as false. */
function isOtherVersion(token: yaml.CST.Token): token is yaml.CST.Directive {
  return token.type === "directive" && /^%YAML\b(?!\s+1\.2\s*$)/.test(token.source);
}

function isEmpty(contents: yaml.ParsedNode | null): boolean {
  if (contents === null) return true;
  return (
    yaml.isScalar(contents) &&
    contents.source === "" &&
    contents.value === null &&
    !contents.tag &&
    !contents.anchor
  );
}

function errorAt(
  code: TextError["code"],
  from: number,
  length: number,
  message: DiagnosticMessage,
): TextError {
  return { code, from, to: from + length, explain: () => message };
}

function rejected(code: TextError["code"], from: number, length: number, message: DiagnosticMessage) {
  return { documents: [], errors: [errorAt(code, from, length, message)] };
}

/** The deepest nesting of lists and mappings. Composing much deeper text aborts the process. */
const maxDepth = 100;

/** The most lexemes of a text. Definitions in the tersest style fill a file of 1 MiB with fewer. */
const maxLexemes = 450_000;

/** The most documents of a text. As many definitions do not fit into a file of 1 MiB. */
const maxDocuments = 20_000;

function tagMessage(text: string, from: number, to: number): DiagnosticMessage {
  const tag = text.slice(from, Math.min(to, from + 60));
  return { message: `the tag ${tag} does not apply here`, hint: markHint(text, from) };
}

function controlMessage(character: string): DiagnosticMessage {
  if (character === "\r") {
    return {
      message: "a carriage return stands alone here",
      hint: "end lines with LF or CRLF, as editors do",
    };
  }
  const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return {
    message: `the control character U+${digits.toUpperCase()} cannot stand in YAML`,
    hint: `remove it; only a description can have it, written as \\u${digits} in double quotes`,
  };
}

/** The parser creates an `Error` for each mistake in a text; recording their stacks takes most of the time. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
