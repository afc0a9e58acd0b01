// A crash at every file operation of a create of two definitions, in a file system of this machine.
import { expect, it } from "vitest";
import { crashEverywhere } from "./crash.ts";

it("a crash at any file operation neither doubles nor loses the incidents of create -f batch.yaml", async () => {
  const tried = await crashEverywhere({ line: "create -f batch.yaml", incidents: 2, inMemory: false });
  expect(tried.before).toBeGreaterThan(30);
  // Its entries: a create has two.
  expect(tried["half-way"]).toBeGreaterThanOrEqual(2);
});
