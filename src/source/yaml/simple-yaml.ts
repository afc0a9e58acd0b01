// For speed: reads the YAML that most definitions consist of, several times faster than a parser of the whole language.
// It knows block mappings and lists, texts on one line, block scalars, and one-line flow mappings without quotes, in
// text without the syntax that ambiguous.ts finds. For anything else it gives up, and a parser of YAML reads the text.
// Over 220 lines because one grammar is easier to review in one place.
import type { Span } from "../positions.ts";

/** A place in the text: a line that is neither empty nor a comment, and the column where the rest of it starts. */
interface Cursor {
  readonly text: string;
  /** The offset of the line, of the rest of it, and of its end. At the end of the text, `end` is -1. */
  line: number;
  start: number;
  end: number;
  /** The span of the value that was read last. */
  from: number;
  to: number;
  readonly takePart: TakePart | undefined;
}

export interface Part {
  readonly value: unknown;
  /** Of the name of a field. The entry of a list has none. */
  readonly key?: Span;
  readonly span: Span;
}

/** Takes each field of a mapping and each entry of a list. `holder` is that mapping or list; the document has none. */
export type TakePart = (holder: object | undefined, step: string | number, part: Part) => void;

type Mapping = Record<string, unknown>;

/** The value of a text that is outside of the subset. No value in it is a symbol. */
const unread = Symbol("unread");

const [space, quote, hash, apostrophe, hyphen, colon] = [32, 34, 35, 39, 45, 58];
const [greater, backslash, bar, openBrace] = [62, 92, 124, 123];

/** Definitions are a mapping of lists of mappings. */
const maxDepth = 4;

/** Of a key in block style, in YAML 1.2. */
const longestKey = 1024;

/** The document of the text; `undefined` for any other text. A document is never `undefined`. */
export function readSimpleYaml(text: string, takePart?: TakePart): unknown {
  // Without a last line break, parsers differ in the end of a block scalar.
  if (!text.endsWith("\n") || text.includes("\r")) return undefined;
  const cursor: Cursor = { text, line: 0, start: 0, end: 0, from: 0, to: 0, takePart };
  moveTo(cursor, 0);
  if (cursor.end === -1 || indentOf(cursor) !== 0) return undefined;
  const value = readMapping(cursor, 0, 0);
  if (value === unread || cursor.end !== -1) return undefined;
  takePart?.(undefined, "", { value, span: [cursor.from, cursor.to] });
  return value;
}

/** Moves to the first line from `offset` on that is neither empty nor a comment. */
function moveTo(cursor: Cursor, offset: number): void {
  const { text } = cursor;
  let line = offset;
  while (line < text.length) {
    const end = text.indexOf("\n", line);
    let start = line;
    while (text.charCodeAt(start) === space) start += 1;
    if (start < end && text.charCodeAt(start) !== hash) {
      cursor.line = line;
      cursor.start = start;
      cursor.end = end;
      return;
    }
    line = end + 1;
  }
  cursor.end = -1;
}

function indentOf({ line, start }: Cursor): number {
  return start - line;
}

function isEntry({ text, start }: Cursor): boolean {
  return text.charCodeAt(start) === hyphen && text.charCodeAt(start + 1) === space;
}

/** Reads a mapping whose keys are in the column `indent`. */
function readMapping(cursor: Cursor, indent: number, depth: number): Mapping | typeof unread {
  const mapping: Mapping = {};
  if (depth > maxDepth) return unread;
  const from = cursor.start;
  do {
    const { text, start } = cursor;
    const keyEnd = endOfKey(text, start);
    const next = text.charCodeAt(keyEnd + 1);
    if (keyEnd === start || keyEnd > start + longestKey || text.charCodeAt(keyEnd) !== colon) return unread;
    if (next !== space && keyEnd + 1 !== cursor.end) return unread;
    const key = text.slice(start, keyEnd);
    if (Object.hasOwn(mapping, key)) return unread;
    cursor.start = keyEnd + 1;
    const value = readValue(cursor, indent, depth);
    if (value === unread) return unread;
    mapping[key] = value;
    cursor.takePart?.(mapping, key, { value, key: [start, keyEnd], span: [cursor.from, cursor.to] });
  } while (cursor.end !== -1 && indentOf(cursor) === indent && !isEntry(cursor));
  cursor.from = from;
  // A deeper line continues the value in a form that is not read here.
  return cursor.end !== -1 && indentOf(cursor) > indent ? unread : mapping;
}

/** Keys of letters, and of underscores that are not at the start. */
function endOfKey(text: string, start: number): number {
  let end = start;
  while (isLetter(text.charCodeAt(end)) || (end > start && text.charCodeAt(end) === 95)) end += 1;
  return end;
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

/** Reads a list whose hyphens are in the column `indent`. */
function readList(cursor: Cursor, indent: number, depth: number): unknown[] | typeof unread {
  const list: unknown[] = [];
  if (depth > maxDepth) return unread;
  const from = cursor.start;
  do {
    cursor.start += 1;
    const column = skipSpaces(cursor) - cursor.line;
    const { text, start } = cursor;
    const keyEnd = endOfKey(text, start);
    const isKey = text.charCodeAt(keyEnd) === colon && keyEnd > start;
    const entry = isKey ? readMapping(cursor, column, depth + 1) : readOnLine(cursor);
    if (entry === unread) return unread;
    cursor.takePart?.(list, list.length, { value: entry, span: [cursor.from, cursor.to] });
    list.push(entry);
  } while (cursor.end !== -1 && indentOf(cursor) === indent && isEntry(cursor));
  cursor.from = from;
  return cursor.end !== -1 && indentOf(cursor) > indent ? unread : list;
}

/** Reads the value of a key in the column `indent`, and moves to the line after it. */
function readValue(cursor: Cursor, indent: number, depth: number): unknown {
  const { text } = cursor;
  const start = skipSpaces(cursor);
  if (start === cursor.end || text.charCodeAt(start) === hash) {
    moveTo(cursor, cursor.end + 1);
    if (cursor.end === -1) return unread;
    const inner = indentOf(cursor);
    if (isEntry(cursor)) return inner < indent ? unread : readList(cursor, inner, depth + 1);
    return inner <= indent ? unread : readMapping(cursor, inner, depth + 1);
  }
  const first = text.charCodeAt(start);
  return first === bar || first === greater ? readBlockScalar(cursor, indent) : readOnLine(cursor);
}

function skipSpaces(cursor: Cursor): number {
  while (cursor.text.charCodeAt(cursor.start) === space) cursor.start += 1;
  return cursor.start;
}

/** Reads a value that ends on its line, and moves to the next line. */
function readOnLine(cursor: Cursor): unknown {
  const { text, start, end } = cursor;
  const first = text.charCodeAt(start);
  let value: unknown;
  let to: number;
  if (first === openBrace) {
    const close = text.indexOf("}", start);
    to = close + 1;
    if (close === -1 || close > end || !isRest(text, to, end)) return unread;
    value = readFlowMapping(cursor, start + 1, close);
  } else if (first === quote || first === apostrophe) {
    const close = endOfQuotes(text, start, first);
    to = close + 1;
    if (close === -1 || close >= end || !isRest(text, to, end)) return unread;
    const inner = text.slice(start + 1, close);
    value = first === apostrophe && inner.includes("'") ? inner.replaceAll("''", "'") : inner;
  } else {
    const line = text.slice(start, end);
    const comment = line.indexOf(" #");
    const plain = comment === -1 ? line : withoutSpaces(line.slice(0, comment));
    to = start + plain.length;
    value = readPlain(plain);
  }
  cursor.from = start;
  cursor.to = to;
  moveTo(cursor, end + 1);
  return value;
}

/** The offset of the closing quote; -1 for a text with escapes. */
function endOfQuotes(text: string, start: number, mark: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === mark) {
      if (mark === quote || text.charCodeAt(at + 1) !== apostrophe) return at;
      at += 1;
    } else if (unit === backslash && mark === quote) return -1;
  }
  return -1;
}

/** Whether there is nothing but a comment from `start` to `end`. */
function isRest(text: string, start: number, end: number): boolean {
  let at = start;
  while (text.charCodeAt(at) === space) at += 1;
  return at === end || (at > start && text.charCodeAt(at) === hash);
}

/** Without the spaces around it. The function of JavaScript removes other characters too, which YAML keeps. */
function withoutSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text.charCodeAt(start) === space) start += 1;
  while (end > start && text.charCodeAt(end - 1) === space) end -= 1;
  return text.slice(start, end);
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const special = /^(?:null|true|false)$/i;

/** Whether a plain text in a flow mapping has only the characters that it can have here. */
function isFlowText(text: string): boolean {
  // For speed: V8 looks up the Unicode properties in each run that executes the pattern.
  return /^[A-Za-z0-9 ._-]*$/.test(text) || /^[\p{L}\p{N} ._-]*$/u.test(text);
}

/** A plain text, `true` or `false`. Every text that starts with another character than a letter must be a GUID. */
function readPlain(text: string): unknown {
  if (text.includes(": ") || text.endsWith(":")) return unread;
  if (!isLetter(text.charCodeAt(0))) return guid.test(text) ? text : unread;
  if (text.length > 5 || !special.test(text)) return text;
  return text === "true" ? true : text === "false" ? false : unread;
}

/** Reads the `key: value` pairs between two offsets. They are separated by commas, and their values are plain. */
function readFlowMapping({ text, takePart }: Cursor, from: number, to: number): Mapping | typeof unread {
  const mapping: Mapping = {};
  let offset = from;
  for (const pair of text.slice(from, to).split(",")) {
    const trimmed = withoutSpaces(pair);
    const keyEnd = endOfKey(trimmed, 0);
    if (keyEnd === 0 || !trimmed.startsWith(": ", keyEnd)) return unread;
    const key = trimmed.slice(0, keyEnd);
    const rest = withoutSpaces(trimmed.slice(keyEnd + 2));
    if (Object.hasOwn(mapping, key) || !isFlowText(rest)) return unread;
    const value = readPlain(rest);
    if (value === unread) return unread;
    mapping[key] = value;
    const start = text.indexOf(trimmed, offset);
    const end = start + trimmed.length;
    takePart?.(mapping, key, { value, key: [start, start + keyEnd], span: [end - rest.length, end] });
    offset += pair.length + 1;
  }
  return mapping;
}

/** Reads a scalar that starts with `|`, `|-`, `>` or `>-`, without lines that are indented further. */
function readBlockScalar(cursor: Cursor, indent: number): string | typeof unread {
  const { text, start, end } = cursor;
  const isFolded = text.charCodeAt(start) === greater;
  const isStripped = text.charCodeAt(start + 1) === hyphen;
  if (start + (isStripped ? 2 : 1) !== end) return unread;
  let offset = end + 1;
  let column = offset;
  while (text.charCodeAt(column) === space) column += 1;
  const inner = column - offset;
  // The first line is not empty.
  if (inner <= indent || column >= text.length || text.charCodeAt(column) === 10) return unread;
  let value = "";
  let breaks = 0;
  while (offset < text.length) {
    const lineEnd = text.indexOf("\n", offset);
    if (lineEnd === offset) breaks += 1;
    else {
      let first = offset;
      while (text.charCodeAt(first) === space) first += 1;
      if (first - offset <= indent) break;
      if (first - offset !== inner) return unread;
      if (value !== "")
        value += isFolded ? (breaks === 0 ? " " : "\n".repeat(breaks)) : "\n".repeat(breaks + 1);
      value += text.slice(first, lineEnd);
      breaks = 0;
      cursor.to = lineEnd + 1;
    }
    offset = lineEnd + 1;
  }
  cursor.from = start;
  moveTo(cursor, offset);
  return isStripped ? value : `${value}\n`;
}
