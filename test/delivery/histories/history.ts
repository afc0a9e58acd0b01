// The history of the sequences of a journal: each call with the time of its beginning and of its end. The clock is the
// system's monotonic one, so that the calls of several processes of a machine compare.
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Entry, Sequence, Sequences } from "../../../src/journal/sequence.ts";

interface Call {
  readonly process: string;
  /** Tells the journals of a run apart. */
  readonly place: string;
  /** The name of the sequence. */
  readonly sequence: string;
  /** In microseconds. */
  readonly start: number;
  /** Undefined where the process died in the call, or is still in it. */
  readonly end: number | undefined;
}

export type AppendResult = Awaited<ReturnType<Sequence["append"]>>;

export type RecordedCall = Call &
  (
    | {
        readonly do: "append";
        readonly number: number;
        readonly entry: Entry;
        /** Undefined where the call threw, which says that nothing was appended. */
        readonly result?: AppendResult;
      }
    | {
        readonly do: "read";
        readonly from: number;
        /** Undefined where the call threw. */
        readonly found?: { readonly first: number; readonly writers: readonly string[] };
      }
  );

/** A line: the beginning of a call, or its end. The lines of a call have its number. */
type Line = { readonly call: number; readonly [field: string]: unknown };

/** The clock of histories: the system's monotonic one, in microseconds. */
export const now = (): number => Number(process.hrtime.bigint() / 1000n);

let calls = 0;

/** Records the calls as those of the process `name`. `write` takes a line before the call goes on. */
function withHistory(
  sequences: Sequences,
  {
    name: process,
    place,
    write,
  }: { readonly name: string; readonly place: string; readonly write: (line: Line) => void },
): Sequences {
  async function record<T>(begin: object, work: () => Promise<T>, say: (result: T) => object): Promise<T> {
    const call = ++calls;
    write({ call, process, place, ...begin, start: now() });
    try {
      const result = await work();
      write({ call, end: now(), ...say(result) });
      return result;
    } catch (error) {
      write({ call, end: now() });
      throw error;
    }
  }
  return {
    ...sequences,
    open(sequence) {
      const opened = sequences.open(sequence);
      return {
        ...opened,
        append: (number, entry) =>
          record(
            { do: "append", sequence, number, entry },
            () => opened.append(number, entry),
            (result) => ({ result }),
          ),
        read: (from) =>
          record(
            { do: "read", sequence, from },
            () => opened.read(from),
            ({ entries, first }) => ({ found: { first, writers: entries.map(({ writer }) => writer) } }),
          ),
      };
    },
  };
}

/** The name of a journal, by the argument that tells it apart where it is opened. */
export function placeOf(opened: unknown): string {
  return typeof opened === "string" ? opened : JSON.stringify(opened);
}

/** A history in memory, for sequences of this process. */
export function createHistory() {
  const lines: Line[] = [];
  return {
    record: (sequences: Sequences, name: string, place = "") =>
      withHistory(sequences, { name, place, write: (line) => void lines.push(line) }),
    calls: () => callsOf(lines),
  };
}

/** Writes the history of this process into a file of its own. A line that was written survives a kill. */
export function createHistoryFile(folder: string) {
  const name = `${process.pid}-${now()}`;
  let file: number | undefined;
  return (sequences: Sequences, place: string) =>
    withHistory(sequences, {
      name,
      place,
      write(line) {
        if (file === undefined) {
          mkdirSync(folder, { recursive: true });
          file = openSync(join(folder, `${name}.jsonl`), "a");
        }
        writeSync(file, `${JSON.stringify(line)}\n`);
      },
    });
}

/** The calls of all processes that wrote into the folder. */
export function readHistory(folder: string): readonly RecordedCall[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    // A kill can cut the last line.
    const whole = lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
    return callsOf(whole);
  });
}

function callsOf(lines: readonly Line[]): readonly RecordedCall[] {
  const found = new Map<number, object>();
  for (const { call, ...rest } of lines) found.set(call, { end: undefined, ...found.get(call), ...rest });
  return [...found.values()] as RecordedCall[];
}
