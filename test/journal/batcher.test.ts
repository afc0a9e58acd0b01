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
