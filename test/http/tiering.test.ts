// The WebAssembly flag: it is set while undici takes over a connection alone, because V8 rejects cached code under other
// flags.
import { Socket } from "node:net";
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { createConnection } from "../../src/http/connection.ts";

const source = "(function add(a, b) { return a + b; })";
const cachedData = new Script(source).createCachedData();

let checks = 0;

/** Each check has a file name of its own, because V8 otherwise reuses the script that it has in memory. */
function isCacheAccepted(): boolean {
  checks += 1;
  return new Script(source, { cachedData, filename: `check-${checks}.js` }).cachedDataRejected === false;
}

/** Whether the code cache is accepted while undici takes over a connection. */
function handOver(use: () => void): void {
  const connection = createConnection(new URL("http://127.0.0.1:1"), {}, undefined);
  connection.handOver(use)(null, new Socket());
}

it("sets the flag while a connection is taken over, and no longer", () => {
  const accepted: boolean[] = [];
  handOver(() => accepted.push(isCacheAccepted()));
  expect(accepted).toEqual([
    !["11", "12", "13"].some((version) => process.versions.v8.startsWith(`${version}.`)),
  ]);
  expect(isCacheAccepted()).toBe(true);
});

it("resets the flag when that throws", () => {
  const stop = new Error("no connection");
  const throwing = () => {
    throw stop;
  };
  expect(() => handOver(throwing)).toThrow(stop);
  expect(isCacheAccepted()).toBe(true);
});
