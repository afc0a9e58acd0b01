// Collects calls while one is running, and makes the next one with all of them.
import type { Clock } from "../platform/context.ts";

/** The most calls that go together. */
const largestBatch = 200;

/** Milliseconds in which calls count as made at the same time, where calls are slow. */
const sameTime = 10;

/** Milliseconds that a batch of slow calls waits for those that the one before gave rise to. */
const longestGathering = 2000;

/**
 * `run` gets the items of a batch and gives their results in the same order; its error is the error of each. A `slow` call
 * is worth a wait for others: by this clock.
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  slow?: Pick<Clock, "monotonic" | "sleep">,
): (item: Item) => Promise<Result> {
  interface Call {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Call[] = [];
  let isRunning = false;
  /** Of the last batch: its size, and how long it took. */
  let last = { size: 0, duration: 0 };
  const monotonic = slow?.monotonic ?? (() => 0);

  async function gather({ sleep }: NonNullable<typeof slow>): Promise<void> {
    const { duration, size } = last;
    const until = monotonic() + Math.min(longestGathering, duration);
    do await sleep(sameTime);
    while (waiting.length < size && monotonic() < until);
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    // Calls of sockets that are ready at the same time go together from the first.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      if (slow !== undefined) await gather(slow);
      const calls = waiting.splice(0, largestBatch);
      const start = monotonic();
      try {
        const results = await run(calls.map(({ item }) => item));
        for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
      last = { size: calls.length, duration: monotonic() - start };
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
