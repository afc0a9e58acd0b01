// Gathers simultaneous requests to a store: reads of several logs become one fetch, and events of several logs become
// one push. One of them runs at a time.
import type { Failure } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import type { AppendResult } from "../event-store.ts";

export interface GroupWork<T> {
  /** At most one of each key is in a batch. */
  readonly keyOf: (item: T) => string;
  readonly read: (logs: readonly string[]) => Promise<void>;
  /** The results are in the order of the batch; a `Failure` is thrown to the one that waits for it. */
  readonly append: (batch: readonly T[]) => Promise<readonly (AppendResult | Failure)[]>;
}

export interface GroupCommit<T> {
  /** Resolves when a read that began after the call has ended. */
  read(log: string): Promise<void>;
  append(item: T): Promise<AppendResult>;
  /** Runs other work while nothing else runs. */
  alone<R>(work: () => Promise<R>): Promise<R>;
}

/** Milliseconds in which events count as ready at the same time. */
const sameTime = 10;

/** Milliseconds that a batch waits for the endings of the attempts that the one before began. */
const longestGathering = 2000;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit<T>(
  { clock }: Pick<System, "clock">,
  { append, keyOf, read }: GroupWork<T>,
): GroupCommit<T> {
  let appends: Waiting<T, AppendResult>[] = [];
  let reads: Waiting<string, void>[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let isAppending = false;
  /** Of the last batch: its size, and how long it took. */
  let size = 0;
  let duration = 0;

  function alone<R>(work: () => Promise<R>): Promise<R> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function gather(): Promise<void> {
    const until = clock.monotonic() + (size > 1 ? Math.min(longestGathering, duration) : 0);
    do await clock.sleep(sameTime);
    while (appends.length < size && clock.monotonic() < until);
  }

  /** The first of each key; the others stay for the next batch. */
  function takeBatch(): Waiting<T, AppendResult>[] {
    const keys = new Set<string>();
    const batch = appends.filter(({ item }) => !keys.has(keyOf(item)) && keys.add(keyOf(item)));
    appends = appends.filter((each) => !batch.includes(each));
    return batch;
  }

  async function appendWaiting(): Promise<void> {
    while (appends.length > 0) {
      await gather();
      await alone(async () => {
        const batch = takeBatch();
        const start = clock.monotonic();
        try {
          const results = await append(batch.map(({ item }) => item));
          for (const [index, { reject, resolve }] of batch.entries()) {
            const result = results[index] ?? "unknown";
            if (typeof result === "string") resolve(result);
            else reject(result);
          }
        } catch (error) {
          for (const { reject } of batch) reject(error);
        }
        size = batch.length;
        duration = clock.monotonic() - start;
      });
    }
    isAppending = false;
  }

  async function readWaiting(): Promise<void> {
    await clock.sleep(1);
    const batch = reads;
    reads = [];
    try {
      await read([...new Set(batch.map(({ item }) => item))]);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    alone,
    append: (item) =>
      new Promise((resolve, reject) => {
        appends.push({ item, resolve, reject });
        if (isAppending) return;
        isAppending = true;
        void appendWaiting();
      }),
    read: (item) =>
      new Promise((resolve, reject) => {
        // Reads that are asked for while another one waits for its turn join it.
        if (reads.push({ item, resolve, reject }) === 1) void alone(readWaiting);
      }),
  };
}
