import { describe, expect, it } from "vitest";
import { createBatcher } from "../../src/journal/batcher.ts";

/** A turn of the event loop, after which calls that were made together have been collected. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("calls that are made together", () => {
  it("are one batch, with a result for each, and at most 200 of them", async () => {
    const batches: (readonly number[])[] = [];
    const call = createBatcher<number, string>(async (items) => {
      batches.push(items);
      return items.map((item) => `result ${item}`);
    });
    const items = Array.from({ length: 201 }, (_, index) => index);
    expect(await Promise.all(items.map(call))).toEqual(items.map((item) => `result ${item}`));
    expect(batches).toEqual([items.slice(0, 200), [200]]);
    expect(await call(7)).toBe("result 7");
  });

  it("wait for the batch that is running, and then go together", async () => {
    const running: { readonly items: readonly number[]; readonly end: () => void }[] = [];
    const call = createBatcher<number, number>(
      (items) => new Promise((resolve) => running.push({ items, end: () => resolve(items) })),
    );
    const calls = [call(1)];
    await turn();
    await turn();
    calls.push(call(2), call(3));
    await turn();
    await turn();
    expect(running.map(({ items }) => items)).toEqual([[1]]);
    running[0]?.end();
    await turn();
    expect(running.map(({ items }) => items)).toEqual([[1], [2, 3]]);
    running[1]?.end();
    expect(await Promise.all(calls)).toEqual([1, 2, 3]);
  });

  it("fail together, and the next ones do not", async () => {
    let isDown = true;
    const call = createBatcher<number, number>(async (items) => {
      if (isDown) throw new Error("down");
      return items;
    });
    const ends = await Promise.allSettled([call(1), call(2)]);
    expect(ends.map((end) => end.status === "rejected" && end.reason.message)).toEqual(["down", "down"]);
    isDown = false;
    expect(await call(3)).toBe(3);
  });
});

describe("slow calls", () => {
  /** When the two batches begin, where others are called while the first one runs. */
  async function startsOf(first: number, duration: number, others: number) {
    let now = 1000;
    const starts: number[] = [];
    const clock = {
      monotonic: () => now,
      sleep: async (milliseconds: number) => {
        now += milliseconds;
      },
    };
    const later: Promise<number>[] = [];
    const call = createBatcher<number, number>(async (items) => {
      starts.push(now - 1000);
      now += duration;
      if (starts.length === 1) for (let other = 0; other < others; other += 1) later.push(call(other));
      return items;
    }, clock);
    await Promise.all(Array.from({ length: first }, (_, index) => call(index)));
    await Promise.all(later);
    return starts;
  }

  it.each([
    ["after the shortest time, where the one before had one call", 1, 100, 1, [10, 120]],
    ["after the shortest time, where as many calls wait as the one before had", 2, 100, 2, [10, 120]],
    ["after the shortest time, where more calls wait", 2, 100, 3, [10, 120]],
    ["after as long as the one before took, where fewer calls wait", 2, 100, 1, [10, 210]],
    ["after two seconds at the latest", 3, 5000, 2, [10, 7010]],
  ])("of a batch go %s", async (_, first, duration, others, starts) => {
    expect(await startsOf(first, duration, others)).toEqual(starts);
  });
});
