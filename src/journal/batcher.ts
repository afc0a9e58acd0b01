// Collects calls while one is running, and makes the next one with all of them.

/** The most calls that go together. */
const largestBatch = 200;

/** `run` gets the items of a batch and gives their results in the same order; its error is the error of each. */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Call {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Call[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    // Calls of sockets that are ready at the same time go together from the first.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const calls = waiting.splice(0, largestBatch);
      try {
        const results = await run(calls.map(({ item }) => item));
        for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
