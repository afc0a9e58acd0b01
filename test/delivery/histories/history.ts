// The history of an event store: each call with the time of its beginning and of its end. The clock is the system's
// monotonic one, so that the calls of several processes of a machine compare.
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { AppendResult, EventStore, StoredEvent } from "../../../src/journal/event-store.ts";

interface Call {
  readonly process: string;
  /** Tells the stores of a run apart. */
  readonly place: string;
  /** In microseconds. */
  readonly start: number;
}

/** Undefined where the process died in the call, or is still in it. */
type End = number | undefined;

export interface RecordedAppend {
  readonly log: string;
  readonly number: number;
  readonly event: StoredEvent;
  readonly isUnsettled: boolean;
}

export type RecordedCall =
  | (Call & {
      readonly do: "append" | "prune";
      readonly appends: readonly RecordedAppend[];
      readonly end: End;
      /** One of each append; undefined where the call threw, which says that nothing was appended. */
      readonly results?: readonly AppendResult[];
    })
  | (Call & {
      readonly do: "read";
      readonly log: string;
      readonly end: End;
      /** Undefined where the call threw. */
      readonly found?: { readonly first: number; readonly writers: readonly string[] };
    })
  | (Call & { readonly do: "unsettled"; readonly end: End; readonly logs?: readonly string[] });

/** A line: the beginning of a call, or its end. The lines of a call have its number. */
type Line = { readonly call: number; readonly [field: string]: unknown };

/** The clock of histories: the system's monotonic one, in microseconds. */
export const now = (): number => Number(process.hrtime.bigint() / 1000n);

let calls = 0;

/** Records the calls of a store as those of the process `name`. `write` takes a line before the call goes on. */
export function withHistory(
  store: EventStore,
  {
    name,
    place,
    write,
  }: { readonly name: string; readonly place: string; readonly write: (line: Line) => void },
): EventStore {
  async function record<T>(begin: object, work: () => Promise<T>, say: (result: T) => object): Promise<T> {
    const call = ++calls;
    write({ call, process: name, place, ...begin, start: now() });
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
    ...store,
    append: (appends) =>
      record(
        { do: "append", appends },
        () => store.append(appends),
        (results) => ({ results }),
      ),
    read: (log) =>
      record(
        { do: "read", log },
        () => store.read(log),
        ({ events, first }) => ({ found: { first, writers: events.map(({ writer }) => writer) } }),
      ),
    unsettled: () => record({ do: "unsettled" }, store.unsettled, (logs) => ({ logs })),
  };
}

/** The name of a store, by the argument that tells it apart where it is opened. */
export function placeOf(opened: unknown): string {
  return typeof opened === "string" ? opened : JSON.stringify(opened);
}

/** A history in memory, for stores of this process. */
export function createHistory() {
  const lines: Line[] = [];
  return {
    record: (store: EventStore, name: string, place = "") =>
      withHistory(store, { name, place, write: (line) => void lines.push(line) }),
    calls: () => callsOf(lines),
  };
}

/** Writes the history of this process into a file of its own. A line that was written survives a kill. */
export function createHistoryFile(folder: string) {
  const name = `${process.pid}-${now()}`;
  let file: number | undefined;
  return (store: EventStore, place: string) =>
    withHistory(store, {
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
