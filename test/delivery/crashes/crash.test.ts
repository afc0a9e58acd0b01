// A crash at the file operations of a command. CASES=all crashes at each of them.
import { expect, it } from "vitest";
import { isComplete, isThorough } from "../../harness/cases.ts";
import { crashEverywhere, timeline } from "./crash.ts";

it.each([
  // Its entries, and the cache of its operations.
  ["create -f plain.yaml", { incidents: 1, by: 1 }, 3],
  ["apply -f folder/1.yaml -f folder/2.yaml", { incidents: 2, by: 3 }, 3],
  // In `.ci/run`: each of its crashes runs a create and four posts twice.
  ...(isThorough ? [["apply -f timeline.yaml", { incidents: 1, texts: timeline, by: 7 }, 11] as const] : []),
  ["create -f batch.yaml", { incidents: 2, by: 5 }, 5],
] as const)(
  "a crash at a file operation neither doubles nor loses the incidents and updates of %s",
  async (line, options, writes) => {
    const tried = await crashEverywhere({
      ...options,
      line,
      by: isComplete ? 1 : options.by * (isThorough ? 1 : 3),
    });
    expect(tried.before).toBeGreaterThan(30);
    expect(tried["half-way"]).toBe(writes);
  },
);
