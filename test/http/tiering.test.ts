// The WebAssembly flag: it is set while undici takes over a connection alone, because V8 rejects cached code under other
// flags.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { createConnection, withoutTiering } from "../../src/http/connection.ts";

const source = "(function add(a, b) { return a + b; })";
const cachedData = new Script(source).createCachedData();

let checks = 0;

/** Each check has a file name of its own, because V8 otherwise reuses the script that it has in memory. */
function isCacheAccepted(): boolean {
  checks += 1;
  return new Script(source, { cachedData, filename: `check-${checks}.js` }).cachedDataRejected === false;
}

it("sets the flag while a connection is taken over, and no longer", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { connector, destroy } = createConnection(new URL(`http://127.0.0.1:${port}`), {}, undefined);
  const address = { hostname: "127.0.0.1", port: String(port), protocol: "http:" };
  const accepted = await new Promise((resolve) => connector(address, () => resolve(isCacheAccepted())));
  destroy();
  server.close();
  expect(accepted).toBe(!["11", "12", "13"].includes(process.versions.v8.split(".")[0] ?? ""));
  expect(isCacheAccepted()).toBe(true);
});

it("resets the flag when that throws", () => {
  const stop = new Error("no connection");
  const throwing = () => {
    throw stop;
  };
  expect(() => withoutTiering(throwing)).toThrow(stop);
  expect(isCacheAccepted()).toBe(true);
});
