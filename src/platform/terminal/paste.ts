// Sanitizes text that is pasted into a line. Terminals mark a paste (bracketed paste), so that a line break in it does
// not submit the answer and an escape sequence in it has no effect.
import { stripVTControlCharacters } from "node:util";

export const markPastes = "\u001b[?2004h";
export const unmarkPastes = "\u001b[?2004l";

const begin = "\u001b[200~";
const end = "\u001b[201~";
const interrupt = "\u0003";

/** Returns a filter from input, split at any place, to the keys that it stands for. */
export function createPasteFilter(): (piece: string) => string {
  let waiting = "";
  return (piece) => {
    // Ctrl-C also ends a paste whose end a terminal does not mark.
    const parts = (piece === interrupt ? piece : waiting + piece).split(begin);
    const keys = parts.map((part, at) => {
      const [pasted = "", ...after] = at === 0 ? ["", part] : part.split(end);
      return asOneLine(pasted) + after.join("");
    });
    const isOpen = parts.length > 1 && !parts.at(-1)?.includes(end);
    const last = isOpen ? (parts.at(-1) ?? "") : "";
    waiting = isOpen ? begin + last : beginOfMark(keys.at(-1) ?? "");
    if (isOpen) return keys.slice(0, -1).join("");
    const typed = keys.join("");
    return typed.slice(0, typed.length - waiting.length);
  };
}

/** The start of a mark at the end of `text`. A single Escape is a key press and takes effect at once. */
function beginOfMark(text: string): string {
  if (text.length === 1) return "";
  const starts = Array.from({ length: begin.length - 1 }, (_, at) => begin.slice(0, at + 1));
  return starts.findLast((start) => text.endsWith(start)) ?? "";
}

function asOneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "");
}
