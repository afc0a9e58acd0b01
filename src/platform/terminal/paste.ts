// Sanitizes text that is pasted into a line. Terminals mark a paste (bracketed paste), so that a line break in it does
// not submit the answer and an escape sequence in it has no effect.
import { stripVTControlCharacters } from "node:util";

export const markPastes = "\u001b[?2004h";
export const unmarkPastes = "\u001b[?2004l";

const begin = "\u001b[200~";
const end = "\u001b[201~";
const interrupt = "\u0003";
const escapeKey = "\u001b";

/** Stands for a paste that must not be shown. No URL and no GUID can contain it. */
export const hiddenPaste = "<not shown>";

/** A hidden paste as an answer. It ends at once, so that nothing is typed behind it. */
const hiddenAnswer = `${hiddenPaste}\r`;

/** The most characters that count as typed where a terminal marks no paste; more at once are a paste. */
const longestTyped = 16;

/**
 * Returns a filter from input, split at any place, to the keys that it stands for. A paste for which `show` is false
 * becomes `hiddenPaste` and ends the answer: it can be a secret, and the terminal echoes the keys.
 */
export function createPasteFilter(show?: (pasted: string) => boolean): (piece: string) => string {
  const isGuarded = show !== undefined;
  const shown = (text: string) => (!isGuarded || text === "" || show(text.trim()) ? text : hiddenAnswer);
  const typed = (text: string) => {
    if (text.length <= longestTyped || text.includes(escapeKey)) return text;
    // A paste in a terminal without marks. A further line would be echoed as well, so it is dropped.
    const [, line = "", lineEnd = ""] = /^([^\r\n]*)([\r\n]?)/.exec(text) ?? [];
    if (line.length <= longestTyped) return text;
    return shown(line) === line ? line + lineEnd : hiddenAnswer;
  };
  let waiting = "";
  let isPasting = false;
  return (piece) => {
    // Ctrl-C also ends a paste whose end a terminal does not mark.
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
      keys += isPasting ? shown(asOneLine(text.slice(0, at))) : text.slice(0, at);
      text = text.slice(at + mark.length);
      isPasting = !isPasting;
    }
    // A paste is sanitized as a whole, because input can be split within a sequence as well as within a mark.
    const held = isPasting ? text.length : beginOfMark(text);
    waiting = text.slice(text.length - held);
    const rest = text.slice(0, text.length - held);
    return keys + (isGuarded ? typed(rest) : rest);
  };
}

/** The length of the start of a mark at the end of `text`. */
function beginOfMark(text: string): number {
  // A single Escape is a key press and takes effect at once.
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
