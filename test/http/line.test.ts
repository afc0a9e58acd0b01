// The connections of reads: the next read takes up what the last one left, and a create never does.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { Exchange, Outcome } from "../../src/http/exchange.ts";
import { createExchange } from "../../src/http/undici.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Answers each request as `answer` does it, and says over which connection each came. */
async function serve(
  answer: (response: ServerResponse, number: number) => void = (response) => response.end("{}"),
) {
  const connections: unknown[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (!connections.includes(request.socket)) connections.push(request.socket);
    requests.push(`${request.method} ${connections.indexOf(request.socket)}`);
    answer(response, requests.length);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, requests, url: `http://127.0.0.1:${port}/` };
}

const read = (exchange: Exchange, url: string, deadline = 5000) =>
  exchange({ method: "GET", url, headers: {} }, { deadline });
const create = (exchange: Exchange, url: string) =>
  exchange({ method: "POST", url, headers: {}, body: "{}" }, { deadline: 5000 });
const statusOf = (outcome: Outcome) => (outcome.phase === "answered" ? outcome.status : outcome);

it("one read takes up the connection of the one before", async () => {
  const { requests, url } = await serve();
  const exchange = createExchange({});
  for (let count = 0; count < 3; count += 1) expect(statusOf(await read(exchange, url))).toBe(200);
  expect(requests).toEqual(["GET 0", "GET 0", "GET 0"]);
});

it("reads at the same time have a connection each", async () => {
  const { requests, url } = await serve((response) => setTimeout(() => response.end("{}"), 100));
  const exchange = createExchange({});
  await Promise.all([read(exchange, url), read(exchange, url)]);
  expect(requests).toEqual(["GET 0", "GET 1"]);
});

it("a create has one of its own, before and after", async () => {
  const { requests, url } = await serve();
  const exchange = createExchange({});
  await read(exchange, url);
  await create(exchange, url);
  await create(exchange, url);
  await read(exchange, url);
  expect(requests).toEqual(["GET 0", "POST 1", "POST 2", "GET 0"]);
});

it("another service never gets what was left", async () => {
  const one = await serve();
  const other = await serve();
  const exchange = createExchange({});
  await read(exchange, one.url);
  await read(exchange, other.url);
  expect([one.requests, other.requests]).toEqual([["GET 0"], ["GET 0"]]);
});

it("is asked again, on a new one, where the service has closed it", async () => {
  const { server, requests, url } = await serve();
  const exchange = createExchange({});
  await read(exchange, url);
  server.closeAllConnections();
  expect(statusOf(await read(exchange, url))).toBe(200);
  expect(requests).toEqual(["GET 0", "GET 1"]);
});

it("is asked again, on a new one, where the service closes it instead of an answer", async () => {
  const { requests, url } = await serve((response, number) => {
    if (number === 2) response.socket?.destroy();
    else response.end("{}");
  });
  const exchange = createExchange({});
  await read(exchange, url);
  expect(statusOf(await read(exchange, url))).toBe(200);
  expect(requests).toEqual(["GET 0", "GET 0", "GET 1"]);
});

it("is not asked again after its deadline", async () => {
  const { requests, url } = await serve((response, number) => void (number === 1 && response.end("{}")));
  const exchange = createExchange({});
  await read(exchange, url);
  expect(await read(exchange, url, 300)).toMatchObject({ phase: "unanswered", reason: "timeout" });
  expect(requests).toEqual(["GET 0", "GET 0"]);
});

it("is not taken up after an answer that was cut off", async () => {
  const { requests, url } = await serve((response, number) => {
    if (number > 1) return void response.end("{}");
    response.writeHead(200, { "content-length": 10 });
    response.write("{}", () => response.socket?.destroy());
  });
  const exchange = createExchange({});
  expect(await read(exchange, url)).toMatchObject({ phase: "answered", flaw: "truncated" });
  expect(statusOf(await read(exchange, url))).toBe(200);
  expect(requests).toEqual(["GET 0", "GET 1"]);
});
