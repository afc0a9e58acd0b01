// A request has a single connection: undici gets no second one, and none after the request ends.
import { expect, test } from "vitest";
import { type Connection, createConnection } from "../../src/http/connection.ts";
import { to, useServers } from "./fault-row.ts";

const start = useServers();

function open(connection: Connection, url: URL): Promise<Error | null> {
  const { hostname, port, protocol } = url;
  return new Promise((resolve) =>
    connection.connector({ hostname, port, protocol }, (...[error]) => resolve(error)),
  );
}

test("a connection is opened once", async () => {
  const server = await start({});
  const url = new URL(to(server));
  const connection = createConnection(url, {}, undefined);
  expect(await open(connection, url)).toBeNull();
  expect(await open(connection, url)).toBeInstanceOf(Error);
  await expect.poll(() => server.connections).toBe(1);
  connection.destroy();
  await expect.poll(() => server.open).toBe(0);
});

test("a connection that is destroyed before it opens stays closed", async () => {
  const server = await start({});
  const url = new URL(to(server));
  const connection = createConnection(url, {}, undefined);
  connection.destroy();
  expect(await open(connection, url)).toBeInstanceOf(Error);
  expect(server.connections).toBe(0);
});
