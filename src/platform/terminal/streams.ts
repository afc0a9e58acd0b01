// The terminal's streams for the prompt library. They handle what the library leaves to the terminal: pastes, disabled
// color, and characters that the terminal cannot show.
import { Transform, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { PromptLook } from "../context.ts";
import { createPasteFilter } from "./paste.ts";

/** Key presses with sanitized pastes. */
export function createKeys(input: NodeJS.ReadStream): Transform {
  const decoder = new StringDecoder("utf8");
  const filter = createPasteFilter();
  const keys = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, filter(decoder.write(chunk))),
  });
  return Object.assign(keys, { isTTY: true, setRawMode: (isRaw: boolean) => void input.setRawMode(isRaw) });
}

const escapeCharacter = "\u001b";
const colours = new RegExp(`${escapeCharacter}\\[[0-9;]*m`, "g");

/** Replacements for the library's symbols on a terminal without Unicode. */
const ascii: ReadonlyMap<string, string> = new Map([
  ["◆", "*"],
  ["◇", "o"],
  ["■", "x"],
  ["▲", "!"],
  ["│", "|"],
  ["└", "`"],
  ["●", ">"],
  ["○", " "],
  ["◻", "-"],
  ["◼", "+"],
  ["█", "_"],
  ["↑", "^"],
  ["↓", "v"],
  ["•", ","],
  ["…", "~"],
]);

export function createScreen(output: NodeJS.WriteStream, { colour, unicode }: PromptLook): Writable {
  const screen = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      const plain = colour ? chunk : chunk.replace(colours, "");
      output.write(unicode ? plain : plain.replace(/[^\x20-\x7e]/g, (sign) => ascii.get(sign) ?? sign), done);
    },
  });
  return Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  });
}
