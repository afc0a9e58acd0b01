import { describe, expect, it } from "vitest";
import { checkAppend } from "../../../src/journal/fleet/check-append.ts";
import { emptyModel, extend } from "../../../src/journal/model.ts";
import { createMemorySequences, withChanges } from "../memory-sequences.ts";

describe("a shared journal of which a doctor tests an append", () => {
  it("has an entry more, which says nothing of any operation", async () => {
    const memory = createMemorySequences();
    for (const writer of ["first", "second"]) await checkAppend(memory, writer);
    const tail = await memory.open("doctor").read(0);
    expect(tail.entries.map(({ writer }) => writer)).toEqual(["first", "second"]);
    expect(extend(emptyModel, tail, String)).toMatchObject({
      service: undefined,
      next: 2,
      operations: new Map(),
      writers: ["first", "second"],
    });
  });

  it("names in its snapshot the writers that a machine may have seen", async () => {
    const memory = createMemorySequences();
    const dropping = withChanges(memory, () => ({ mayDrop: () => true }));
    for (const writer of ["first", "second", "third"]) await checkAppend(dropping, writer);
    const { entries } = await memory.open("doctor").read(2);
    expect(entries).toMatchObject([{ writer: "third", writers: ["first", "second"] }]);
  });

  it("is refused where another entry takes the place", async () => {
    const full = withChanges(createMemorySequences(), () => ({ append: async () => "taken" }));
    await expect(checkAppend(full, "guid")).rejects.toThrow("the journal did not accept an event");
  });
});
