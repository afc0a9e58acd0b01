// A crash at every file operation, on files in memory. crash.slow.test.ts does the same in a file system, for a file of
// two definitions.
import { expect, it } from "vitest";
import { crashEverywhere } from "./crash.ts";

it.each([
  // Its entries, and the cache of its operations.
  ["create -f plain.yaml", 1, 3],
  ["apply -f folder/1.yaml -f folder/2.yaml", 2, 3],
])(
  "a crash at any file operation neither doubles nor loses the incident of %s",
  async (line, incidents, writes) => {
    const tried = await crashEverywhere({ line, incidents, inMemory: true });
    expect(tried.before).toBeGreaterThan(30);
    expect(tried["half-way"]).toBe(writes);
  },
);
