// Decodes and reads a YAML text: the values of its documents, where each part of them stands, and every error. The text is
// always YAML 1.2 core. Repeated keys and aliases are read here, because the parser takes quadratic time for them.
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from "yaml";
import {
  type DiagnosticMessage,
  errorAt,
  maxDiagnostics,
  type Path,
  type Problem,
} from "../../diagnostic.ts";
import { decodeUtf8 } from "../../untrusted-data.ts";
import { commentAfter, createLocateSpan, type LocateSpan, type Span } from "../positions.ts";
import { maxFileSize, type Source } from "../read-source.ts";
import { composeText } from "./compose.ts";
import { type AnyError, causesOf, findOddStart, isTag, markHint, toDiagnostics } from "./syntax-errors.ts";

export interface SourceDocument {
  /** Its mappings have no prototype. */
  readonly value: unknown;
  /**
   * For a path that does not exist, the location of its nearest ancestor. `within`: its first occurrence in the text. `comment`: the
   * one right after a plain text, without a space after its "#"; empty where none is.
   */
  readonly locate: (path: Path, part?: "key" | "comment", within?: string) => ReturnType<LocateSpan>;
  readonly spanOf: (path: Path, part?: "key") => Span;
  /** The value at a path as the file spells it: `0755`, and not 755. */
  readonly written: (path: Path) => string;
}

/** `documents`: the readable ones; none for an empty text. */
export type ParsedText = ReturnType<typeof parseDocuments>;

/** The most values that the aliases of a document repeat. An alias bomb exceeds it by far. */
const maxAliasedValues = 10_000;

/** Decodes a file, and parses every document of it. The text has no byte order mark. Never throws. */
export function parseSource({ bytes, file, unread }: Source): ParsedText {
  const refused = (code: Problem["code"], words: DiagnosticMessage, shown = "", at = 0): ParsedText => {
    const start = createLocateSpan(shown, file)([at, at]);
    return { text: "", start, documents: [], diagnostics: [errorAt(code, words, start)] };
  };
  if (unread !== undefined) return refused("unreadable", { message: unread, hint: unreadHint });
  if (bytes.length > maxFileSize) return refused("file-too-large", tooLarge);
  const text = decodeUtf8(bytes);
  if (text !== undefined && !text.includes("\0")) return parseDocuments(text, file);
  // Each invalid byte becomes a replacement character. UTF-16 without a mark has a zero in each Latin character.
  const replaced = new TextDecoder().decode(bytes);
  return refused("not-utf8", notUtf8, replaced, replaced.search(/[\uFFFD\0]/));
}

/** Also where its variables are missing or misspelled. */
export function isTemplate({ documents }: Pick<ParsedText, "documents">): boolean {
  return documents.some(({ value }) => {
    const has = (name: string) => Object.hasOwn(Object(value), name);
    return has("variables") || (["vars", "when", "dedupKey"].some(has) && !has("name"));
  });
}

/** The error of a second document in a file that has one. */
export function furtherDocument([, second]: ParsedText["documents"], file: string) {
  const message = `${file} is one document, and here a second one starts`;
  const hint = "remove the line with ---";
  return second ? [errorAt("yaml-syntax", { message, hint }, second.locate([]))] : [];
}

/** Never throws. */
export function parseDocuments(text: string, file: string, mostTokens?: number) {
  const locateSpan = createLocateSpan(text, file);
  const documents: SourceDocument[] = [];
  const { composed, refused } = composeText(text, mostTokens);
  const found: AnyError[] = refused === undefined ? [] : [refused];
  for (const { contents, errors, warnings } of composed) {
    const problems = causesOf([...errors, ...warnings.filter(isTag)]);
    if (problems.length === 0 && isEmpty(contents)) continue;
    const read = problems.every(isTag) ? readNodes(contents, text, locateSpan) : undefined;
    // One at a time: a call with thousands of arguments overflows the stack.
    for (const error of [...problems, ...(read?.errors ?? [])]) found.push(error);
    // After these errors, the value differs from the intended one, and further checks would mislead.
    const fatal = ["yaml-syntax", "too-many-aliases"];
    if (read === undefined || read.errors.some(({ code }) => fatal.includes(code))) continue;
    documents.push(read.document);
  }
  const diagnostics = toDiagnostics(found, text, locateSpan);
  return { text, start: locateSpan([0, 0]), documents, diagnostics };
}

/** The value of the first document of a text of any length; undefined for text that is no YAML. */
export function parseYaml(text: string): unknown {
  const { diagnostics, documents } = parseDocuments(text, "", Number.POSITIVE_INFINITY);
  return diagnostics.length > 0 ? undefined : documents[0]?.value;
}

function isEmpty(contents: ParsedNode | null): boolean {
  if (contents === null) return true;
  return isScalar(contents) && contents.source === "" && !contents.tag && !contents.anchor;
}

/** A part of a document, with its own parts by their names or indexes. An alias has those of its anchor. */
interface Part {
  readonly node: ParsedNode | null;
  readonly key?: ParsedNode;
  readonly value: unknown;
  readonly parts?: ReadonlyMap<string, Part> | undefined;
}

/** Converts the nodes of one document of `text`. For a repeated key, the first value counts. */
function readNodes(root: ParsedNode | null, text: string, locateSpan: LocateSpan) {
  const errors: AnyError[] = [];
  /** Each with the number of values in it, including itself. */
  const anchors = new Map<string, { readonly part: Part; readonly size: number }>();
  const unused = new Map<string, ParsedNode>();
  let size = 0;
  let aliased = 0;
  const startOf = (offset: number) => locateSpan([offset, offset]).start;

  const report = (code: Problem["code"], [from, to]: ParsedNode["range"], words: DiagnosticMessage) =>
    errors.push({ code, pos: [from, to], ...words });

  /** A plain text that begins with "!" or "&" loses its first word. */
  function reportLost({ range }: ParsedNode, mark: string, message: string): void {
    const from = text.lastIndexOf(mark, range[0] - 1);
    const pos: Span = [from, from + mark.length];
    errors.push({ code: "unknown-tag", pos, message, hint: markHint(mark) });
  }

  /** `dash` is the place of the dashes of a list in block style, for an entry of it. */
  function read(node: ParsedNode | null, dash?: number): Part {
    size += 1;
    if (node === null) return { node, value: null };
    if (isAlias(node)) return { node, ...readAlias(node.range, node.source) };
    const before = size;
    const part: Part = { node, ...(isScalar(node) ? { value: node.value } : readParts(node, dash)) };
    const isPlainText = isScalar(node) && node.type === "PLAIN" && typeof part.value === "string";
    const odd = isPlainText ? findOddStart(text, node.range[0]) : undefined;
    if (odd !== undefined) errors.push(odd);
    if (isPlainText && node.tag === "!") reportLost(node, "!", "the tag ! does not apply here");
    if (node.anchor === undefined) return part;
    if (isPlainText) unused.set(node.anchor, node);
    anchors.set(node.anchor, { part, size: size - before + 1 });
    return part;
  }

  function readParts(node: YAMLMap.Parsed | YAMLSeq.Parsed, dash?: number): Omit<Part, "node"> {
    const parts = new Map<string, Part>();
    if (isSeq(node)) {
      const value = node.items.map((item, at) => {
        const entry = read(item as ParsedNode, node.flow ? undefined : node.range[0]);
        parts.set(String(at), entry);
        return entry.value;
      });
      return { value, parts };
    }
    const values: Record<string, unknown> = Object.create(null);
    let seen = new Map<string, ParsedNode>();
    for (const pair of node.items) {
      const name = String(read(pair.key).value);
      const field = { ...read(pair.value), key: pair.key };
      if (!parts.has(name)) {
        parts.set(name, field);
        values[name] = field.value;
      }
      const first = seen.get(name);
      // A hostile text has hundreds of thousands.
      if (first !== undefined && errors.length <= maxDiagnostics) {
        const isEntry = dash !== undefined && !node.flow;
        const isDocument = node === root && name === String(node.items[0]?.key);
        // The fields after it are probably those of another entry or document.
        if (isEntry || isDocument) seen = new Map();
        const message = `"${name}" is written twice: first on line ${startOf(first.range[0]).line}`;
        const ofMapping = node === root ? anotherDocument : writeOnce;
        const hint = isEntry
          ? `if another entry begins here, write "- " before it, with the "-" in column ${startOf(dash).column}; else write it once`
          : ofMapping;
        report("duplicate-key", pair.key.range, { message, hint });
      }
      seen.set(name, pair.key);
    }
    return { value: values, parts };
  }

  function readAlias(range: ParsedNode["range"], name: string): Pick<Part, "parts" | "value"> {
    const anchored = anchors.get(name);
    if (anchored === undefined) {
      const message = `no value before this is named "&${name}"`;
      const hint = `name a value with &${name} first; if it is meant as text, put the whole text in quotes`;
      report("yaml-syntax", range, { message, hint });
      return { value: null };
    }
    unused.delete(name);
    if (aliased > maxAliasedValues) return { value: null };
    aliased += anchored.size;
    size += anchored.size;
    if (aliased > maxAliasedValues) report("too-many-aliases", range, tooManyAliases);
    return { value: anchored.part.value, parts: anchored.part.parts };
  }

  const whole = read(root);
  for (const [name, node] of unused) reportLost(node, `&${name}`, `no alias uses the anchor &${name}`);

  /** The span of a path of the value, or of the nearest ancestor that the value has. */
  function spanOf(path: Path, part?: "key"): Span {
    let holder = whole;
    let shown = root;
    for (const [depth, step] of path.entries()) {
      const found = holder.parts?.get(String(step));
      if (found === undefined) break;
      const { key, node } = found;
      // For an omitted value, the name of the field is the location.
      const isOmitted = node === null || node.range[0] >= node.range[1];
      const isKey = isOmitted || (part === "key" && depth === path.length - 1);
      shown = (isKey ? (key ?? node) : node) ?? shown;
      holder = found;
    }
    return shown === null ? [0, 0] : spanOfNode(shown, text);
  }
  const document: SourceDocument = {
    value: whole.value,
    spanOf,
    written: (path) => text.slice(...spanOf(path)),
    locate: (path, part, within) =>
      part === "comment"
        ? locateSpan(commentAfter(text, spanOf(path)))
        : locateSpan(spanOf(path, part), within),
  };
  return { errors, document };
}

/** The span of a node; of a list or mapping in block style, its first line. */
function spanOfNode(node: ParsedNode, text: string): Span {
  const [from, to] = node.range;
  const isBlock = (isMap(node) || isSeq(node)) && !node.flow;
  const endOfLine = from + text.slice(from).search(/\r?\n|$/);
  return [from, isBlock ? Math.min(to, endOfLine) : Math.max(from, to)];
}

const tooManyAliases = {
  message: `the aliases here expand to more than ${maxAliasedValues} values`,
  hint: "write the values out, or repeat them less often",
};

const writeOnce = "write it once, with all its entries";
const anotherDocument = `${writeOnce}; if another document begins here, write "---" above it`;

const unreadHint = "put a file in its place that this user can read, or leave it out; - reads stdin";

const tooLarge = {
  message: `this file is larger than 1 MiB (${maxFileSize} bytes)`,
  hint: "split it into several files",
};

const notUtf8 = {
  message: "this file is not UTF-8 from here on",
  hint: 'save it as "UTF-8" in your editor',
};
