// A terminal as the library of questions is to see it. It hides what that leaves to the terminal: pastes, colour
// that is not wanted, and letters that cannot be shown.
import { Transform, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { PromptLook } from "../context.ts";
import { createPasteFilter } from "./paste.ts";

/** What is typed, without what pastes could do. */
export function createKeys(input: NodeJS.ReadStream): Transform {
  const decoder = new StringDecoder("utf8");
  const filter = createPasteFilter();
  const keys = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, filter(decoder.write(chunk))),
  });
  return Object.assign(keys, { isTTY: true, setRawMode: (isRaw: boolean) => void input.setRawMode(isRaw) });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of.
const colours = /\u001b\[[0-9;]*m/g;

/** A character for each of the library's that a terminal without Unicode cannot show. */
const ascii: Readonly<Record<string, string>> = {
  "◆": "*",
  "◇": "o",
  "■": "x",
  "▲": "!",
  "│": "|",
  "└": "`",
  "●": ">",
  "○": " ",
  "◻": "-",
  "◼": "+",
  "█": "_",
  "↑": "^",
  "↓": "v",
  "•": ",",
  "…": "~",
};

export function createScreen(output: NodeJS.WriteStream, { colour, unicode }: PromptLook): Writable {
  const screen = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      const plain = colour ? chunk : chunk.replace(colours, "");
      output.write(unicode ? plain : plain.replace(/[^\x20-\x7e]/g, (sign) => ascii[sign] ?? sign), done);
    },
  });
  return Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  });
}
