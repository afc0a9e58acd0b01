// Measures, splits and wraps text in terminal cells, in linear time. Nearly all text needs neither `string-width` nor
// `Intl.Segmenter`, so both load with the first text that does. Own code instead of `wrap-ansi`, which has no hanging indent,
// normalizes text to NFC, restores colors after each line break, and takes quadratic time for a long word.
import stringWidth from "string-width";
import { assumeSafe, type SafeText } from "../../platform/terminal/safe-text.ts";

/** Latin letters, the punctuation of prose and the symbols of a page: each takes one cell. */
const singleCells = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u25a0-\u25fc\u2714]*$/;

/** The longest text that is segmented at once: `Intl.Segmenter` takes quadratic time in Node.js 20. */
const maxSegmented = 64;

let segmenter: Intl.Segmenter | undefined;

/** The width of `text` in cells. Colors take none. */
export function measureText(text: string): number {
  if (singleCells.test(text)) return text.length;
  if (text.length <= maxSegmented) return stringWidth(text);
  const [start = "", ...colored] = text.split("\u001b");
  let cells = 0;
  for (const part of [start, ...colored.map((rest) => rest.replace(/^\[[\d;]*m/, ""))]) {
    for (const cluster of graphemeClusters(part)) cells += stringWidth(cluster);
  }
  return cells;
}

/** The grapheme clusters of `text`: the characters that a reader sees. */
function* graphemeClusters(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter();
  let from = 0;
  let size = maxSegmented;
  while (from < text.length) {
    const isHighSurrogate = /[\ud800-\udbff]/.test(text.charAt(from + size - 1));
    const part = text.slice(from, from + size - (isHighSurrogate ? 1 : 0));
    const clusters = Array.from(segmenter.segment(part), ({ segment }) => segment);
    // The last cluster might continue after the part.
    if (from + part.length < text.length) clusters.pop();
    const length = clusters.reduce((sum, cluster) => sum + cluster.length, 0);
    size = length === 0 ? 2 * size : maxSegmented;
    from += length;
    yield* clusters;
  }
}

/** Splits a word into pieces of at most `width` cells, at the boundaries of grapheme clusters. */
function splitWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  if (singleCells.test(word)) {
    for (let at = 0; at < word.length; at += width) pieces.push(word.slice(at, at + width));
    return pieces;
  }
  let piece = "";
  let cells = 0;
  for (const cluster of graphemeClusters(word)) {
    const clusterCells = measureText(cluster);
    if (piece !== "" && cells + clusterCells > width) {
      pieces.push(piece);
      piece = "";
      cells = 0;
    }
    piece += cluster;
    cells += clusterCells;
  }
  return [...pieces, piece];
}

interface WrapOptions {
  /** In cells, including the indentation. */
  readonly width: number;
  /** The indentation of the lines after the first; less where a word needs the room. Only where words stay whole. */
  readonly indent?: number;
  /**
   * Splits a word that is longer than a line, and drops spaces at the start of a line. Without it, such a word stays
   * whole, as for an id or a path that a person copies, and all spaces stay.
   */
  readonly splits?: boolean;
}

/** Wraps one line between words. Returns at least one line. */
export function wrapText(text: string, { width, indent = 0, splits = false }: WrapOptions): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  let cells = 0;
  // Measures each word once: measuring the line again with each word takes longer.
  for (const word of wordsOf(text, splits)) {
    const wordCells = measureText(word);
    if (line !== undefined && cells + 1 + wordCells <= width) {
      line += ` ${word}`;
      cells += 1 + wordCells;
      continue;
    }
    const isFirst = line === undefined;
    if (line !== undefined) lines.push(line);
    if (splits) {
      const pieces = wordCells <= width ? [word] : splitWord(word, width);
      const last = pieces.pop() ?? "";
      for (const piece of pieces) lines.push(piece);
      line = last === "" ? undefined : last;
      cells = measureText(last);
    } else {
      const own = isFirst ? 0 : Math.max(0, Math.min(indent, width - wordCells));
      line = " ".repeat(own) + word;
      cells = own + wordCells;
    }
  }
  return [...lines, line ?? ""];
}

/** The spaces at the start belong to the first word, so that they never stand alone on a line. */
function wordsOf(text: string, dropsSpaces: boolean): string[] {
  const words = text.split(" ");
  const first = dropsSpaces ? 0 : words.findIndex((word) => word !== "");
  return first <= 0 ? words : [words.slice(0, first + 1).join(" "), ...words.slice(first + 1)];
}

/** A command to copy, indented: where it is too long, it goes on after a backslash. A text in quotes stays whole. */
export function wrapCommand(command: string, width: number, indent: number): string[] {
  const words = command.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  const lines: string[] = [];
  let line = " ".repeat(indent - 1);
  for (const [index, word] of words.entries()) {
    // The backslash at the end of a line needs two columns.
    const room = width - (index === words.length - 1 ? 0 : 2);
    if (line.trim() !== "" && line.length + 1 + word.length > room) {
      lines.push(`${line} \\`);
      line = " ".repeat(Math.max(0, Math.min(indent + 3, width - word.length - 3)));
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

export function wrapSafe(line: SafeText, options: WrapOptions): SafeText[] {
  return wrapText(line, options).map(assumeSafe);
}
