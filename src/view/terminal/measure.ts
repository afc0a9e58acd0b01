// Measures text in terminal cells.
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
