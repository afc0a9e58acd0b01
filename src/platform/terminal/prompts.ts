// Asks with lists and lines on a terminal. The only importer of @clack/prompts, which loads with the first question.
import { Transform, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import {
  autocompleteMultiselect,
  type CANCEL_SYMBOL,
  isCancel,
  password,
  select,
  settings,
  text,
} from "@clack/prompts";
import { cancellation } from "../../failure.ts";
import { escapeLine } from "./safe-text.ts";

interface Terminal {
  readonly color: boolean;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  /** The state after a question that was cancelled, as the hint of its `Failure`. */
  readonly hint: string;
}

interface Streams {
  readonly input: Transform;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

// A letter that was meant for another question moves nothing, and Escape is not Ctrl-C.
for (const key of ["h", "j", "k", "l", "escape"]) settings.aliases.delete(key);

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** The meaning of the choice; shown beside the label until it is chosen. */
  readonly explanation?: string | undefined;
}

interface TextQuestion {
  readonly message: string;
  /** Drawn as the answer of Enter alone, which is an empty text. */
  readonly fallback?: string | undefined;
  /** The answer is a secret: it is not drawn. */
  readonly isHidden?: boolean;
  /** Returns the problem with an answer. */
  readonly check: (text: string) => string | undefined;
}

interface ListQuestion<T extends string> {
  readonly message: string;
  readonly choices: readonly Choice<T>[];
  readonly initial?: T | undefined;
}

export type PromptSession = ReturnType<typeof createPrompts>;

/** Escapes its texts. Requires `canAsk` of commands/shared/questions.ts. Throws a `Failure` if the person cancels. */
export function createPrompts(terminal: Terminal) {
  /** Each question has its own streams, so that earlier key presses do not answer it. */
  async function ask<T>(question: (streams: Streams) => Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
    const { color, hint, input, output, signal } = terminal;
    const keys = createKeys(input);
    const screen = createScreen(output, color);
    const resize = () => screen.emit("resize");
    output.on("resize", resize);
    await discardKeys(input);
    output.write(markPastes);
    input.pipe(keys);
    try {
      const answer = await question({ input: keys, output: screen, signal });
      if (isCancel(answer)) throw cancellation(signal, hint);
      return answer;
    } finally {
      input.unpipe(keys);
      input.pause();
      output.write(unmarkPastes);
      output.off("resize", resize);
    }
  }

  return {
    text: async (question: TextQuestion) => {
      const { fallback, isHidden, check } = question;
      const message = escapeLine(question.message);
      const validate = (typed = "") => {
        const problem = check(typed);
        return problem && escapeLine(problem);
      };
      const answer = await ask((streams) =>
        isHidden
          ? password({ ...streams, message, mask: " ", validate, clearOnError: true })
          : text({
              ...streams,
              message,
              validate,
              ...(fallback !== undefined && { placeholder: escapeLine(fallback) }),
            }),
      );
      return answer.trim();
    },
    /** Asks for one choice. Without `initial`, Enter alone takes the first one. */
    choose: <T extends string>({ choices, initial, message }: ListQuestion<T>): Promise<T> =>
      ask((streams) => {
        const listed = { message: escapeLine(message), options: optionsOf(choices) };
        return select<string>({ ...streams, ...listed, ...(initial && { initialValue: initial }) });
      }) as Promise<never>,
    /** Asks for at least one entry of a list that typing filters. */
    chooseSeveral: ({ choices, message }: Omit<ListQuestion<string>, "initial">) =>
      ask((streams) => {
        const listed = { message: escapeLine(message), options: optionsOf(choices) };
        return autocompleteMultiselect<string>({ ...streams, ...listed, filter: isSearched, required: true });
      }),
  };
}

/** Space at first, the key of other lists, matches all. */
function isSearched(search: string, { hint = "", label = "" }: { hint?: string; label?: string }): boolean {
  return `${label} ${hint}`.toLowerCase().includes(search.trim().toLowerCase());
}

function optionsOf<T extends string>(choices: readonly Choice<T>[]) {
  return choices.map(({ explanation, label, value }) => ({
    value: value as string,
    label: escapeLine(label),
    ...(explanation !== undefined && { hint: escapeLine(explanation) }),
  }));
}

const escapeCharacter = "\u001b";

/** Terminals mark the begin and the end of a paste (bracketed paste). */
const markPastes = `${escapeCharacter}[?2004h`;
const unmarkPastes = `${escapeCharacter}[?2004l`;
const mark = new RegExp(`(${escapeCharacter}\\[20[01]~)`);
const begin = `${escapeCharacter}[200~`;
const unfinishedMark = new RegExp(`${escapeCharacter}(\\[(2(0[01]?)?)?)?$`);

/** Returns a filter from input to keys, in which a paste is one line: it does not submit the answer, or move a cursor. */
export function createPasteFilter(): (piece: string) => string {
  let isPasting = false;
  /** The start of a mark, of which the rest is in the next piece. */
  let held = "";
  return (piece) => {
    // Ctrl-C also ends a paste whose end a terminal does not mark.
    if (piece === "\u0003") isPasting = false;
    // The Escape key alone does nothing here, and would change the meaning of the key after it.
    const isKey = held === escapeCharacter && !isPasting && !piece.startsWith("[");
    const all = isKey ? piece : held + piece;
    held = unfinishedMark.exec(all)?.[0] ?? "";
    const parts = all.slice(0, all.length - held.length).split(mark);
    return parts
      .map((part) => {
        const isMark = mark.test(part);
        if (isMark) isPasting = part === begin;
        return isMark ? "" : isPasting ? asOneLine(part) : part;
      })
      .join("");
  };
}

function asOneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "");
}

/** The library takes no key after Ctrl-D or Ctrl-Z: Ctrl-D cancels, as Ctrl-C does, and Ctrl-Z does nothing. */
const answerable = (keys: string) => keys.replaceAll("\u0004", "\u0003").replaceAll("\u001a", "");

function createKeys(input: NodeJS.ReadStream): Transform {
  const decoder = new StringDecoder("utf8");
  const filter = createPasteFilter();
  const keys = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, answerable(filter(decoder.write(chunk)))),
  });
  return Object.assign(keys, { isTTY: true, setRawMode: (isRaw: boolean) => void input.setRawMode(isRaw) });
}

/** Keys that were pressed between two questions answer neither. */
async function discardKeys(input: NodeJS.ReadStream): Promise<void> {
  const discard = () => undefined;
  input.setRawMode(true);
  input.on("data", discard);
  // In this time, the terminal delivers the keys that were pressed before the question.
  await new Promise((resolve) => setTimeout(resolve, 20));
  input.off("data", discard);
  input.pause();
}

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
