// The only importer of `yaml`: composes text into nodes, and writes values as text. Pins YAML 1.2 core, and rejects
// input that would abort the parser, stall it, or silently change a value.
import * as yaml from "yaml";
import type { DiagnosticMessage } from "../diagnostic.ts";
import { explainParserError } from "./syntax-messages.ts";
import type { TextError } from "./text-errors.ts";

export { isAlias, isMap, isScalar, isSeq } from "yaml";
export type Alias = yaml.Alias;
export type YamlNode = yaml.ParsedNode;
export type YamlMap = yaml.YAMLMap.Parsed;
export type YamlSeq = yaml.YAMLSeq.Parsed;

/** The deepest nesting of lists and mappings. Composing much deeper text aborts the process. */
const maxDepth = 100;

/** The characters that YAML calls unprintable, and a lone carriage return, which the parser reads as text. */
const unprintable = /[^\P{Cc}\t\n\r]|\r(?!\n)/u;

/** The first and the last line of a merge conflict, for which the parser reports many errors. */
const [conflictStart, conflictEnd] = [/^<{7} .*/m, /^>{7} /m];

/** Characters that are invisible or that change the direction of text. */
const invisible = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

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

export interface ComposedDocument {
  readonly contents: YamlNode | null;
  readonly errors: readonly TextError[];
}

export interface ComposedText {
  /** The documents that are not empty. */
  readonly documents: readonly ComposedDocument[];
  /** The errors outside of any document. */
  readonly errors: readonly TextError[];
}

/** Composes every document of `text`. Never throws. */
export function composeText(text: string): ComposedText {
  const control = unprintable.exec(text);
  if (control !== null) return rejected("yaml-syntax", control.index, 1, controlMessage(control[0]));
  const conflict = conflictStart.exec(text);
  if (conflict !== null && conflictEnd.test(text))
    return rejected("yaml-syntax", conflict.index, conflict[0].length, conflictMessage);
  const tokens: yaml.CST.Token[] = [];
  const errors: TextError[] = [];
  const quotes = new Map<number, number>();
  const parser = new yaml.Parser();
  for (const lexeme of new yaml.Lexer().lex(text)) {
    const from = parser.offset;
    if (lexeme.startsWith('"') || lexeme.startsWith("'")) quotes.set(from + lexeme.length, from);
    for (const token of parser.next(lexeme)) {
      if (isOtherVersion(token))
        errors.push(errorAt("yaml-version", token.offset, token.source.length, versionMessage));
      else tokens.push(token);
    }
    if (parser.stack.length > maxDepth + 1 && yaml.CST.isCollection(parser.stack.at(-1))) {
      return rejected("too-deep", from, lexeme.length, depthMessage);
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new yaml.Composer(parseOptions);
  const documents: ComposedDocument[] = [];
  for (const { contents, errors: own, warnings } of composer.compose(tokens)) {
    if (own.length === 0 && isEmpty(contents)) continue;
    documents.push({
      contents,
      errors: [...toTextErrors(own, text, quotes), ...toTextErrors(warnings.filter(isTag), text, quotes)],
    });
  }
  return { documents, errors: errors.concat(toTextErrors(composer.streamInfo().errors, text, quotes)) };
}

/** The value as YAML. Every string parses to the same string, and none can break out of its field. */
export function renderYaml(value: unknown): string {
  const document = new yaml.Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  yaml.visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && node.value.search(invisible) !== -1) node.type = "QUOTE_DOUBLE";
    },
  });
  // Now only double-quoted strings contain such a character, and there the escape is equivalent.
  return document.toString({ lineWidth: 0 }).replace(invisible, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}

/** A value to set; `undefined` removes it. */
export interface YamlEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Changes some values of a mapping and keeps its comments and everything else. `text` must be valid. */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  const document = yaml.parseDocument(text, { version: "1.2", schema: "core", logLevel: "silent" });
  for (const { path, value } of edits) {
    if (value !== undefined) document.setIn(path, value);
    else if (document.hasIn(path)) document.deleteIn(path);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
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
    if (isTag(error)) return errorAt("unknown-tag", from, to - from, tagMessage(text.slice(from, to)));
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
  return (
    token.type === "directive" && /^%YAML\b/.test(token.source) && !/^%YAML\s+1\.2\s*$/.test(token.source)
  );
}

function isEmpty(contents: YamlNode | null): boolean {
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

function rejected(
  code: TextError["code"],
  from: number,
  length: number,
  message: DiagnosticMessage,
): ComposedText {
  return { documents: [], errors: [errorAt(code, from, length, message)] };
}

const depthMessage: DiagnosticMessage = {
  message: `lists and mappings are nested more than ${maxDepth} deep`,
  hint: "a definition needs four levels: check the brackets and the indentation",
};

const versionMessage: DiagnosticMessage = {
  message: "this asks for another version of YAML than 1.2",
  hint: "remove the line: files are always read as YAML 1.2",
};

const conflictMessage: DiagnosticMessage = {
  message: "this is a merge conflict that was not resolved",
  hint: "keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>",
};

function tagMessage(tag: string): DiagnosticMessage {
  return {
    message: `the tag ${tag.slice(0, 60)} does not apply here`,
    hint: `remove it, or put the text in quotes if it is meant to start with "!"`,
  };
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
    message: `the control character U+${digits.toUpperCase()} is not allowed in YAML`,
    hint: `remove it; if it is meant, write \\u${digits} in double quotes`,
  };
}
