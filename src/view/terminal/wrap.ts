// Measures text in terminal cells, and wraps it between words.
import stringWidth from "string-width";

/** Latin letters, the punctuation of prose and the symbols of a page: each takes one cell. */
const singleCells = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u25a0-\u25fc\u2714]*$/;

const color = new RegExp(`${"\u001b"}\\[[\\d;]*m`, "g");

/** The width of `text` in cells. `string-width` takes quadratic time in Node.js 20, so it gets a long text in parts. */
export function measureText(text: string): number {
  if (singleCells.test(text)) return text.length;
  const parts = text.replace(color, "").match(/.{1,64}/gsu) ?? [];
  return parts.reduce((cells, part) => cells + stringWidth(part), 0);
}

/** Wraps one line between words; a word that is longer than a line stays whole. Returns at least one line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  let cells = 0;
  let hasWord = false;
  for (const [at, word] of text.split(" ").entries()) {
    const wordCells = measureText(word);
    const isFull: boolean = hasWord && cells + 1 + wordCells > width;
    if (isFull) lines.push(line);
    hasWord = (hasWord && !isFull) || word.trim() !== "";
    const isFirst = at === 0 || isFull;
    line = isFirst ? word : `${line} ${word}`;
    cells = isFirst ? wordCells : cells + 1 + wordCells;
  }
  return [...lines, line];
}
