// Wraps text at a width in terminal cells, in linear time. Own code instead of `wrap-ansi`, which has no hanging
// indent, normalizes text to NFC, restores colors after each line break, and takes quadratic time for a long word.
import { graphemeClusters, hasSingleCells, measureText } from "./measure.ts";

export interface WrapOptions {
  /** In cells, including the indentation. */
  readonly width: number;
  /** The indentation of the lines after the first. Only with `keep`. */
  readonly indent?: number;
  /**
   * The handling of a word that is longer than a line. `split` breaks it, and drops spaces at the start of a line.
   * `keep` leaves it whole, as for an id or a path that a person copies, and keeps all spaces.
   */
  readonly longWords: "split" | "keep";
}

/** Wraps one line between words. Returns at least one line. */
export function wrapText(text: string, { width, indent = 0, longWords }: WrapOptions): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  let cells = 0;
  // Measures each word once: measuring the line again with each word takes longer.
  for (const word of text.split(" ")) {
    const wordCells = measureText(word);
    if (line !== undefined && cells + 1 + wordCells <= width) {
      line += ` ${word}`;
      cells += 1 + wordCells;
      continue;
    }
    const isFirst = line === undefined;
    if (line !== undefined) lines.push(line);
    if (longWords === "keep") {
      line = isFirst ? word : " ".repeat(indent) + word;
      cells = isFirst ? wordCells : indent + wordCells;
    } else {
      const pieces = wordCells <= width ? [word] : splitWord(word, width);
      const last = pieces.pop() ?? "";
      for (const piece of pieces) lines.push(piece);
      line = last === "" ? undefined : last;
      cells = measureText(last);
    }
  }
  return [...lines, line ?? ""];
}

/** Splits a word into pieces of at most `width` cells, at the boundaries of grapheme clusters. */
function splitWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  if (hasSingleCells(word)) {
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
