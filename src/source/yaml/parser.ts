// Composes text into nodes, and writes values as text. Pins YAML 1.2 core, and rejects
// input that would abort the parser, stall it, or silently change a value.
import * as yaml from "yaml";
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { assumeSafe, type SafeText } from "../../platform/terminal/safe-text.ts";
import type { TextError } from "../text-errors.ts";
import {
  conflictMessage,
  controlMessage,
  depthMessage,
  documentsMessage,
  lexemesMessage,
  maxDepth,
  maxDocuments,
  maxLexemes,
  tagMessage,
  versionMessage,
  withoutStacks,
} from "./bounds.ts";
import { explainParserError } from "./syntax-messages.ts";

export { isAlias, isMap, isScalar, isSeq } from "yaml";
export type Alias = yaml.Alias;
export type YamlNode = yaml.ParsedNode;
export type YamlMap = yaml.YAMLMap.Parsed;
export type YamlSeq = yaml.YAMLSeq.Parsed;

/** The characters that YAML calls unprintable, and a lone carriage return, which the parser reads as text. */
export const unprintable = /[^\P{Cc}\t\n\r]|\r(?!\n)/u;

/** The first and the last line of a merge conflict, for which the parser reports many errors. */
const [conflictStart, conflictEnd] = [/^<{7} .*/m, /^>{7} /m];

/** Characters that are invisible or that change the direction of text, and the start of a command to a pipeline's log. */
const unsafe =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|#(?=#\w*\[)/gu;

/** A line that GitHub Actions obeys: `::add-mask::`. */
const workflowCommand = /^[^\S\n]*::/m;

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

/** Composes every document of `text`. Never throws. */
export function composeText(text: string) {
  const control = unprintable.exec(text);
  if (control !== null) return rejected("yaml-syntax", control.index, 1, controlMessage(control[0]));
  const conflict = conflictStart.exec(text);
  if (conflict !== null && conflictEnd.test(text))
    return rejected("yaml-syntax", conflict.index, conflict[0].length, conflictMessage);
  const tokens: yaml.CST.Token[] = [];
  const errors: TextError[] = [];
  const quotes = new Map<number, number>();
  const parser = new yaml.Parser();
  const lexemes: string[] = [];
  let separators = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    if (lexemes.push(lexeme) > maxLexemes) return rejected("file-too-large", 0, 0, lexemesMessage);
    if (lexeme === "---") separators += 1;
    if (separators > maxDocuments) return rejected("file-too-large", 0, 0, documentsMessage);
  }
  for (const lexeme of lexemes) {
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
  const { composer, composed } = withoutStacks(() => {
    const composer = new yaml.Composer(parseOptions);
    return { composer, composed: [...composer.compose(tokens)] };
  });
  const documents: ComposedDocument[] = [];
  for (const { contents, errors: own, warnings } of composed) {
    if (own.length === 0 && isEmpty(contents)) continue;
    documents.push({
      contents,
      errors: [...toTextErrors(own, text, quotes), ...toTextErrors(warnings.filter(isTag), text, quotes)],
    });
  }
  return { documents, errors: errors.concat(toTextErrors(composer.streamInfo().errors, text, quotes)) };
}

/** The value as YAML. Every string parses to the same string, and none can break out of its field. */
export function renderYaml(value: unknown): SafeText {
  const document = new yaml.Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  yaml.visit(document, {
    Scalar(_, node) {
      const { value } = node;
      if (typeof value !== "string") return;
      if (value.search(unsafe) !== -1 || workflowCommand.test(value)) node.type = "QUOTE_DOUBLE";
    },
  });
  // Now only double-quoted strings contain such a character, and there the escape is equivalent.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return assumeSafe(text.replace(unsafe, escapeCharacter));
}

export function escapeCharacter(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
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

function rejected(code: TextError["code"], from: number, length: number, message: DiagnosticMessage) {
  return { documents: [], errors: [errorAt(code, from, length, message)] };
}
