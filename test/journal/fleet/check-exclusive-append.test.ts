import { describe, expect, it } from "vitest";
import { checkExclusiveAppend } from "../../../src/journal/fleet/check-exclusive-append.ts";
import { createMemorySequences } from "../../../src/journal/memory-sequences.ts";
import { emptyModel, extend } from "../../../src/journal/model.ts";
import type { Sequences } from "../../../src/journal/sequence.ts";
import type { AppendResult } from "../../delivery/histories/history.ts";

const doubled = "the journal lets two machines take the same step";
const refused = "the journal did not accept an event";

/** What the check says, with handles whose appends give these results. `left`: what is then there. */
function checkWith(
  one: AppendResult | "real",
  other: AppendResult | "real",
  left: readonly string[] = [],
): Promise<string> {
  const memory = createMemorySequences();
  const handle = (result: AppendResult | "real"): Sequences => ({
    ...memory,
    open: (name) => ({
      ...memory.open(name),
      async append(at, entry) {
        if (result === "real") return memory.open(name).append(at, entry);
        for (const [number, writer] of left.entries()) await memory.open(name).append(number, { writer });
        return result;
      },
    }),
  });
  return checkExclusiveAppend(handle(one), handle(other), "guid").then(
    () => "exclusive",
    ({ message }: Error) => message,
  );
}

describe("a shared journal of which a doctor tests an append", () => {
  it.each<[string, AppendResult | "real", AppendResult | "real", readonly string[], string]>([
    ["lets one of two win", "real", "real", [], "exclusive"],
    ["lets both win", "ours", "ours", [], doubled],
    ["says that the second wins, and keeps the first", "taken", "ours", ["guid-1"], doubled],
    ["says that the first wins, and keeps nothing", "ours", "taken", [], doubled],
    ["lets the second win", "taken", "ours", ["guid-2"], "exclusive"],
    ["has the entry of a third machine", "taken", "taken", ["third"], "exclusive"],
    ["takes no entry", "unknown", "taken", [], refused],
  ])("%s", async (_, one, other, left, expected) => {
    expect(await checkWith(one, other, left)).toBe(expected);
  });

  it("has an entry more, which says nothing of any operation", async () => {
    const memory = createMemorySequences();
    for (const guid of ["first", "second"]) await checkExclusiveAppend(memory, memory, guid);
    const tail = await memory.open("doctor").read(0);
    expect(tail.entries.map(({ writer }) => writer)).toEqual(["first-1", "second-1"]);
    expect(extend(emptyModel, tail, String)).toMatchObject({
      service: undefined,
      next: 2,
      operations: new Map(),
    });
  });
});
