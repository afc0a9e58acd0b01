// The terminal's streams for the prompt library. They handle pastes and disabled color.
import { Transform, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createPasteFilter } from "./paste.ts";

/** Ctrl-D closes the reader of a question, which then never ends: it cancels, as Ctrl-C does. */
const cancelled = (keys: string) => keys.replaceAll("\u0004", "\u0003");

/** Key presses with sanitized pastes. */
export function createKeys(input: NodeJS.ReadStream): Transform {
  const decoder = new StringDecoder("utf8");
  const filter = createPasteFilter();
  const keys = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, cancelled(filter(decoder.write(chunk)))),
  });
  return Object.assign(keys, { isTTY: true, setRawMode: (isRaw: boolean) => void input.setRawMode(isRaw) });
}

/** Milliseconds in which the terminal delivers the keys that were pressed before a question. */
const strayKeys = 20;

/** Keys that were pressed between two questions answer neither. */
export async function discardKeys(input: NodeJS.ReadStream): Promise<void> {
  const discard = () => undefined;
  input.setRawMode(true);
  input.on("data", discard);
  await new Promise((resolve) => setTimeout(resolve, strayKeys));
  input.off("data", discard);
  input.pause();
}

const escapeCharacter = "\u001b";
const colours = new RegExp(`${escapeCharacter}\\[[0-9;]*m`, "g");

/** The library follows neither `--no-color` nor, in Node.js 20, NO_COLOR. */
export function createScreen(output: NodeJS.WriteStream, color: boolean): Writable {
  const screen = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      const text = chunk.replace(/(?<!\d)1 items selected/, "1 item selected");
      output.write(color ? text : text.replace(colours, ""), done);
    },
  });
  return Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => output.columns || 80 },
    rows: { get: () => output.rows || 24 },
  });
}
