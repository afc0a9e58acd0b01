// Reads a YAML text: the values of its documents, where each part of them stands, and every error. The text is always
// YAML 1.2 core. Repeated keys and aliases are read here, because the parser takes quadratic time for them.
import {
  type Alias,
  Composer,
  CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  type ParsedNode,
  Parser,
  type Scalar,
} from "yaml";
import type { Diagnostic, DiagnosticCode, DiagnosticMessage, Locate, Path } from "../../diagnostic.ts";
import { createLocateSpan, type LocateSpan, type Span } from "../positions.ts";
import { errorIn, isTag, type TextError, toDiagnostics, toTextErrors } from "./text-errors.ts";
import * as words from "./words.ts";

export interface SourceDocument {
  /** Its mappings have no prototype; an integer outside the safe range is a bigint. */
  readonly value: unknown;
  /** The number of the document in its file, from 1; empty documents do not count. */
  readonly index: number;
  readonly locate: Locate;
  /** The text of a scalar as the file spells it. */
  readonly textOf: (path: Path) => string;
}

export interface ParsedText {
  readonly text: string;
  /** The readable documents; none for an empty text. */
  readonly documents: readonly SourceDocument[];
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

const options = {
  version: "1.2",
  schema: "core",
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  intAsBigInt: true,
  prettyErrors: false,
  logLevel: "silent",
} as const;

/** Parses every document of `text`, the content of `file`. Never throws. */
export function parseDocuments(text: string, file: string, mostTokens = words.maxTokens): ParsedText {
  const locateSpan = createLocateSpan(text, file);
  const documents: SourceDocument[] = [];
  let count = 0;
  const found = words.mistakeInText(text);
  const errors: TextError[] = found ? [errorIn("yaml-syntax", found.span, found)] : [];
  const { refused, tokens } = readTokens(found ? "" : text, mostTokens);
  if (refused !== undefined) errors.push(refused);
  for (const { contents, errors: own, warnings } of compose(tokens)) {
    const problems = toTextErrors([...own, ...warnings.filter(isTag)], text);
    if (problems.length === 0 && isEmpty(contents)) continue;
    count += 1;
    const read = problems.some(isFatal) ? undefined : readNodes(contents, text, locateSpan);
    // A loop: so many arguments of a call overflow the stack.
    for (const error of [...problems, ...(read?.errors ?? [])]) errors.push(error);
    if (read === undefined || read.errors.some(isFatal)) continue;
    documents.push({
      value: read.value,
      index: count,
      locate: (path, part, within) => locateSpan(...narrowed(text, read.spanOf(path, part), within)),
      textOf: (path) => text.slice(...read.spanOf(path)),
    });
  }
  const [whole, before = "", directive = ""] = otherVersion.exec(text) ?? [];
  if (whole !== undefined)
    errors.push(errorIn("yaml-version", [before.length, before.length + directive.length], words.oneVersion));
  return { text, documents, count, diagnostics: toDiagnostics(errors, text, locateSpan) };
}

/** The value of the first document of a text of any length; undefined for text that is no YAML. */
export function parseYaml(text: string): unknown {
  const { diagnostics, documents } = parseDocuments(text, "", Number.POSITIVE_INFINITY);
  return diagnostics.length > 0 ? undefined : documents[0]?.value;
}

/** The tokens of a text within the limits. Composing much deeper text aborts the process. */
function readTokens(
  text: string,
  most: number,
): { readonly tokens: readonly CST.Token[]; readonly refused?: TextError } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let [separators, lexemes] = [0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    lexemes += 1;
    if (lexeme === "---") separators += 1;
    if (separators > words.maxDocuments || lexemes > most)
      return { tokens: [], refused: errorIn("file-too-large", [0, 0], words.tooManyParts) };
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > words.maxDepth + 1 && CST.isCollection(parser.stack.at(-1)))
      return { tokens: [], refused: errorIn("too-deep", [offset, offset + 1], words.tooDeep) };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

/** The parser creates an `Error` for each mistake in a text; recording their stacks takes most of the time. */
function compose(tokens: readonly CST.Token[]) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const composer = new Composer(options);
    const documents = [...composer.compose(tokens)];
    const { errors } = composer.streamInfo();
    return documents.length > 0 ? documents : [{ contents: null, errors, warnings: [] }];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Before the first document. The values of another version are those of 1.2 all the same. */
const otherVersion = /^((?:[^\S\n]*(?:#.*)?\n)*)(%YAML\b(?![^\S\n]+1\.2[^\S\n]*(?:\n|$)).*)/;

/** Whether the error makes the value unreliable, so that further checks would mislead. */
function isFatal({ code }: TextError): boolean {
  return code === "yaml-syntax" || code === "too-many-aliases";
}

function isEmpty(contents: ParsedNode | null): boolean {
  if (contents === null) return true;
  return isScalar(contents) && contents.source === "" && !contents.tag && !contents.anchor;
}

type Fields = Map<string, Pair<ParsedNode, ParsedNode | null>>;

interface Anchored {
  readonly node: ParsedNode;
  value?: unknown;
  /** The number of values in it, including itself; undefined while it is read. */
  size?: number;
  isUsed: boolean;
}

/** Converts the nodes of one document of `text`. For a repeated key, the first value counts. */
function readNodes(root: ParsedNode | null, text: string, locateSpan: LocateSpan) {
  const errors: TextError[] = [];
  const targets = new Map<ParsedNode, ParsedNode>();
  const fields = new Map<ParsedNode, Fields>();
  const anchors = new Map<string, Anchored>();
  let size = 0;
  let aliased = 0;

  const report = (
    code: DiagnosticCode,
    { range: [from, to] }: ParsedNode,
    explain: () => DiagnosticMessage,
  ) => errors.push({ code, span: [from, to], explain });

  function read(node: ParsedNode | null): unknown {
    size += 1;
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node as Alias.Parsed);
    const anchored: Anchored = { node, isUsed: !isPlainText(node) };
    if (node.anchor !== undefined) anchors.set(node.anchor, anchored);
    const before = size;
    anchored.value = isScalar(node) ? readScalar(node) : readCollection(node);
    anchored.size = size - before + 1;
    return anchored.value;
  }

  function readScalar(node: Scalar.Parsed): unknown {
    const { value } = node;
    if (isPlainText(node) && node.tag === "!") reportBefore(node, "!", "the tag ! does not apply here");
    return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }

  /** A plain text that begins with "!" or "&" loses its first word. */
  function reportBefore({ range }: ParsedNode, mark: string, message: string): void {
    const from = text.lastIndexOf(mark, range[0] - 1);
    errors.push({
      code: "unknown-tag",
      span: [from, from + mark.length],
      explain: () => ({ message, hint: words.markHint(text, from) }),
    });
  }

  function readCollection(node: Exclude<ParsedNode, Scalar.Parsed | Alias.Parsed>): unknown {
    if (isSeq(node)) return node.items.map((item) => read(item as ParsedNode));
    const values: Record<string, unknown> = Object.create(null);
    const pairs: Fields = new Map();
    fields.set(node, pairs);
    let isAnother = false;
    for (const pair of node.items) {
      const name = String(read(pair.key));
      const first = pairs.get(name)?.key;
      const value = read(pair.value);
      if (first === undefined) {
        pairs.set(name, pair);
        values[name] = value;
      } else if (!isAnother) {
        // The first field of the document again: the fields after it are probably those of another document.
        const beginsDocument = node === root && first === node.items[0]?.key;
        isAnother = beginsDocument;
        report("duplicate-key", pair.key, () => {
          const { line } = locateSpan(first.range[0], first.range[1]).start;
          return words.duplicateKey(name, line, { beginsDocument, isList: isSeq(pair.value) });
        });
      }
    }
    return values;
  }

  function readAlias(alias: Alias.Parsed): unknown {
    const { source: name } = alias;
    const anchored = anchors.get(name);
    if (anchored?.size === undefined) {
      report("yaml-syntax", alias, () =>
        anchored === undefined ? words.unknownAnchor(name) : words.ownAnchor(name),
      );
      return null;
    }
    targets.set(alias, anchored.node);
    anchored.isUsed = true;
    if (aliased > words.maxAliasedValues) return null;
    aliased += anchored.size;
    size += anchored.size;
    if (aliased <= words.maxAliasedValues) return anchored.value;
    report("too-many-aliases", alias, () => words.tooManyAliases);
    return null;
  }

  const value = read(root);
  for (const [name, { isUsed, node }] of anchors)
    if (!isUsed) reportBefore(node, `&${name}`, `no alias uses the anchor &${name}`);

  /** The span of a path of the value, or of the nearest ancestor that the value has. */
  function spanOf(path: Path, part: "key" | "value" = "value"): Span {
    let holder = root;
    let shown = root;
    for (const [depth, step] of path.entries()) {
      const node: ParsedNode | null = (holder && targets.get(holder)) ?? holder;
      const pair = node === null ? undefined : fields.get(node)?.get(String(step));
      const item = isSeq(node) ? (node.items[Number(step)] as ParsedNode | undefined) : pair?.value;
      if (pair === undefined && item === undefined) break;
      const isKey = (part === "key" && depth === path.length - 1) || !isPresent(item ?? null);
      shown = (isKey ? (pair?.key ?? item) : item) ?? shown;
      holder = item ?? null;
    }
    return shown === null ? [0, 0] : spanOfNode(shown);
  }
  return { value, errors, spanOf };
}

/** The first occurrence of a text in a span, else the span. */
function narrowed(text: string, [from, to]: Span, within: string | undefined): Span {
  const found = within === undefined ? -1 : text.slice(from, to).indexOf(within);
  return found === -1 ? [from, to] : [from + found, from + found + (within ?? "").length];
}

/** The span of a node without the comments and line ends after it. */
function spanOfNode(node: ParsedNode): Span {
  const last = lastPart(node);
  return [node.range[0], Math.max(node.range[0], last === node ? node.range[1] : spanOfNode(last)[1])];
}

/** The last node in a list or mapping in block style. In flow style and in text, the node ends by itself. */
function lastPart(node: ParsedNode): ParsedNode {
  if (isMap(node) && !node.flow) {
    const pair = node.items.at(-1);
    return (isPresent(pair?.value ?? null) ? pair?.value : pair?.key) ?? node;
  }
  return isSeq(node) && !node.flow ? ((node.items.at(-1) as ParsedNode | undefined) ?? node) : node;
}

/** Whether the text has the value. For an omitted value, the name of the field is the location. */
function isPresent(value: ParsedNode | null): value is ParsedNode {
  return value !== null && value.range[0] < value.range[1];
}

function isPlainText(node: ParsedNode): boolean {
  return isScalar(node) && node.type === "PLAIN" && typeof node.value === "string";
}
