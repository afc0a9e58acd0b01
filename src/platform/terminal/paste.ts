// What a person pastes into a line of text, made fit for it: terminals mark a paste, so that a line break in it
// does not answer the question, and an escape sequence in it does nothing.
import { stripVTControlCharacters } from "node:util";

/** Tells a terminal to mark pastes, and to stop that. */
export const markPastes = "\u001b[?2004h";
export const unmarkPastes = "\u001b[?2004l";

const begin = "\u001b[200~";
const end = "\u001b[201~";
const interrupt = "\u0003";
const escapeKey = "\u001b";

/** Takes what arrives, in pieces that may end anywhere, and gives what is to be read as keys. */
export function createPasteFilter(): (piece: string) => string {
  let waiting = "";
  let isPasting = false;
  return (piece) => {
    // Whatever a terminal forgets to mark as ended, Ctrl-C gets through.
    if (isPasting && piece === interrupt) {
      isPasting = false;
      waiting = "";
      return piece;
    }
    let text = waiting + piece;
    let keys = "";
    for (;;) {
      const mark = isPasting ? end : begin;
      const at = text.indexOf(mark);
      if (at === -1) break;
      keys += isPasting ? asOneLine(text.slice(0, at)) : text.slice(0, at);
      text = text.slice(at + mark.length);
      isPasting = !isPasting;
    }
    // A paste is judged as a whole: a sequence in it may be cut as well as its mark.
    const kept = isPasting ? text.length : beginOfMark(text);
    waiting = text.slice(text.length - kept);
    return keys + text.slice(0, text.length - kept);
  };
}

/** How many characters at the end of `text` begin a mark. */
function beginOfMark(text: string): number {
  // By itself it is the key of that name, and somebody waits for what it does.
  if (text === escapeKey) return 0;
  for (let length = begin.length - 1; length > 0; length -= 1) {
    if (text.endsWith(begin.slice(0, length))) return length;
  }
  return 0;
}

function asOneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "");
}
