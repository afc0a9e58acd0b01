// The WebAssembly flag: it is set for the first use of a connection alone, because V8 rejects cached code under other
// flags.
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { createTieringDelay } from "../../src/http/open-transport.ts";

const source = "(function add(a, b) { return a + b; })";
const cachedData = new Script(source).createCachedData();

let checks = 0;

/** Each check has a file name of its own, because V8 otherwise reuses the script that it has in memory. */
function isCacheAccepted(): boolean {
  checks += 1;
  return new Script(source, { cachedData, filename: `check-${checks}.js` }).cachedDataRejected === false;
}

it("runs every use once", () => {
  const delayTiering = createTieringDelay();
  let uses = 0;
  const use = () => {
    uses += 1;
  };
  delayTiering(use);
  delayTiering(use);
  expect(uses).toBe(2);
});

it("sets the flag for the first use alone", () => {
  const delayTiering = createTieringDelay();
  const accepted: boolean[] = [];
  const use = () => {
    accepted.push(isCacheAccepted());
  };
  delayTiering(use);
  delayTiering(use);
  expect(accepted).toEqual([!process.versions.v8.startsWith("11."), true]);
  expect(isCacheAccepted()).toBe(true);
});

it("resets the flag when the use throws", () => {
  const stop = new Error("no connection");
  const throwing = () => {
    throw stop;
  };
  expect(() => createTieringDelay()(throwing)).toThrow(stop);
  expect(isCacheAccepted()).toBe(true);
});
