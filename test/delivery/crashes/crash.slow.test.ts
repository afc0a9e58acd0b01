// A crash at every file operation of a create, in a file system of this machine.
import { expect, it } from "vitest";
import { crashEverywhere } from "./crash.ts";

it.each([
  ["create -f id.yaml", 1],
  ["create -f batch.yaml", 2],
])("a crash at any file operation neither doubles nor loses the incident of %s", async (line, incidents) => {
  const tried = await crashEverywhere({ line, incidents, inMemory: false });
  expect(tried.before).toBeGreaterThan(30);
  expect(tried.after).toBe(tried.before);
  // Its entries: a create has two.
  expect(tried["half-way"]).toBeGreaterThanOrEqual(2);
});
