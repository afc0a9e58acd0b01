// How wide text is, and where it is broken into lines: what takes long to load is left alone by text that
// needs none of it, which is nearly all text.
import stringWidth from "string-width";

/** Latin letters, the punctuation of prose and the symbols of a page: each takes one cell. */
const oneCellEach = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u25a0-\u25fc\u2714]*$/;

/** Terminal cells that `text` takes up; what colours it takes none. */
export function measureText(text: string): number {
  return oneCellEach.test(text) ? text.length : stringWidth(text);
}

/** Breaks one line between words, and a word that is too long for any line within it. At least 1 line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (measureText(joined) <= width) line = joined;
    else {
      if (line !== "") lines.push(line);
      const pieces = breakWord(word, width);
      line = pieces.pop() ?? "";
      lines.push(...pieces);
    }
  }
  return [...lines, line];
}

/** Cuts a word into pieces that fit, never within what a reader sees as one character. */
function breakWord(word: string, width: number): string[] {
  if (measureText(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (piece !== "" && measureText(piece + segment) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += segment;
  }
  return [...pieces, piece];
}
