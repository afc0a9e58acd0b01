// Measures and splits text in terminal cells, in linear time. Nearly all text needs neither `string-width` nor `Intl.Segmenter`,
// so both load with the first text that does.
import stringWidth from "string-width";

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
export function splitWord(word: string, width: number): string[] {
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
