// The only importer of `yaml`: text to nodes, and values to text. It pins YAML 1.2 core, and keeps the parser
// from what would abort the process, stall it, or quietly change a value.
import * as yaml from "yaml";
import { explainFault } from "./syntax-messages.ts";
import type { Problem, Wording } from "./text-errors.ts";

export { isAlias, isMap, isScalar, isSeq } from "yaml";
export type Alias = yaml.Alias;
export type YamlNode = yaml.ParsedNode;
export type YamlMap = yaml.YAMLMap.Parsed;
export type YamlSeq = yaml.YAMLSeq.Parsed;

/** Lists and mappings in one another. Composing far deeper text aborts the whole process. */
const deepest = 100;

/** What YAML calls unprintable, and a carriage return alone, which this parser would take for text. */
const unprintable = /[^\P{Cc}\t\n\r]|\r(?!\n)/u;

/** The first and the last line of an unresolved merge, over which the parser would stumble again and again. */
const [ours, theirs] = [/^<{7} .*/m, /^>{7} /m];

/** Characters that are invisible or change the direction of text, so that it looks like something else. */
const misleading = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

// Repeated keys are found while reading the nodes: the parser's own search is quadratic.
const dialect = {
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
  readonly problems: readonly Problem[];
}

export interface Composed {
  /** The documents that are not empty. */
  readonly documents: readonly ComposedDocument[];
  /** What is wrong outside of any document. */
  readonly problems: readonly Problem[];
}

/** Composes every document of `text`. It never throws. */
export function composeText(text: string): Composed {
  const control = unprintable.exec(text);
  if (control !== null) return refusal("yaml-syntax", control.index, 1, controlWording(control[0]));
  const conflict = ours.exec(text);
  if (conflict !== null && theirs.test(text))
    return refusal("yaml-syntax", conflict.index, conflict[0].length, conflictWording);
  const tokens: yaml.CST.Token[] = [];
  const problems: Problem[] = [];
  const quotes = new Map<number, number>();
  const parser = new yaml.Parser();
  for (const lexeme of new yaml.Lexer().lex(text)) {
    const from = parser.offset;
    if (lexeme.startsWith('"') || lexeme.startsWith("'")) quotes.set(from + lexeme.length, from);
    for (const token of parser.next(lexeme)) {
      if (isOtherVersion(token))
        problems.push(at("yaml-version", token.offset, token.source.length, versionWording));
      else tokens.push(token);
    }
    if (parser.stack.length > deepest + 1 && yaml.CST.isCollection(parser.stack.at(-1))) {
      return refusal("too-deep", from, lexeme.length, depthWording);
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new yaml.Composer(dialect);
  const documents: ComposedDocument[] = [];
  for (const { contents, errors, warnings } of composer.compose(tokens)) {
    if (errors.length === 0 && isEmpty(contents)) continue;
    documents.push({
      contents,
      problems: [...faults(errors, text, quotes), ...faults(warnings.filter(isTag), text, quotes)],
    });
  }
  return { documents, problems: problems.concat(faults(composer.streamInfo().errors, text, quotes)) };
}

/** The value as YAML. Every text reads back as the same text, and none can break out of its field. */
export function renderYaml(value: unknown): string {
  const document = new yaml.Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  yaml.visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && node.value.search(misleading) !== -1) node.type = "QUOTE_DOUBLE";
    },
  });
  // After that, only double-quoted text can hold such a character, and there an escape means the same.
  return document.toString({ lineWidth: 0 }).replace(misleading, (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}

/** One value to put, or with `undefined` to take away. */
export interface YamlEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The text of a mapping with some of its values changed; comments and everything else stay. It must parse. */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  const document = yaml.parseDocument(text, { version: "1.2", schema: "core", logLevel: "silent" });
  for (const { path, value } of edits) {
    if (value !== undefined) document.setIn(path, value);
    else if (document.hasIn(path)) document.deleteIn(path);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** What the parser found; `quotes` says where each quoted text starts, by where it ends. */
function faults(
  errors: readonly yaml.YAMLError[],
  text: string,
  quotes: ReadonlyMap<number, number>,
): readonly Problem[] {
  // A broken list or mapping often ends up as a field's name, and once the parser has lost its way, it stumbles
  // over every further token of the stream.
  const structural = errors.filter((error) => error.code !== "NON_STRING_KEY");
  const causes = structural.length > 0 ? structural : errors;
  const own = causes.filter((error, index) => index === 0 || !error.message.includes("in YAML stream"));
  return own.map((error) => {
    const [from, to] = error.pos;
    if (isTag(error)) return at("unknown-tag", from, to - from, tagWording(text.slice(from, to)));
    const isOpenQuote = error.message.startsWith("Missing closing");
    const start = isOpenQuote ? (quotes.get(from) ?? from) : from;
    const fault = { code: error.code, message: error.message, from: start };
    return { code: "yaml-syntax", from: start, to, explain: () => explainFault(fault, text) };
  });
}

function isTag(error: yaml.YAMLError): boolean {
  return error.code === "TAG_RESOLVE_FAILED" || error.code === "BAD_COLLECTION_TYPE";
}

/** A directive that asks for another YAML; the parser would obey, and read `NO` as false. */
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

function at(code: Problem["code"], from: number, length: number, wording: Wording): Problem {
  return { code, from, to: from + length, explain: () => wording };
}

function refusal(code: Problem["code"], from: number, length: number, wording: Wording): Composed {
  return { documents: [], problems: [at(code, from, length, wording)] };
}

const depthWording: Wording = {
  message: `lists and mappings are nested more than ${deepest} deep`,
  hint: "a definition needs four levels: check the brackets and the indentation",
};

const versionWording: Wording = {
  message: "this asks for another version of YAML than 1.2",
  hint: "remove the line: files are always read as YAML 1.2",
};

const conflictWording: Wording = {
  message: "this is a merge conflict that was not resolved",
  hint: "keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>",
};

function tagWording(tag: string): Wording {
  return {
    message: `the tag ${tag.slice(0, 60)} does not apply here`,
    hint: `remove it, or put the text in quotes if it is meant to start with "!"`,
  };
}

function controlWording(character: string): Wording {
  if (character === "\r") {
    return {
      message: "a carriage return stands alone here",
      hint: "end lines with LF or CRLF, as editors do",
    };
  }
  const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return {
    message: `the control character U+${digits.toUpperCase()} cannot stand in YAML`,
    hint: `remove it; if it is meant, write \\u${digits} in double quotes`,
  };
}
