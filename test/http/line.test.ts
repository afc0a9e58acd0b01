// The connections of reads that follow each other: one takes up what another has left, and is never given what was
// meant for that.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/api/client.ts";
import type { Control, Exchange, Outcome } from "../../src/http/exchange.ts";
import { createExchange } from "../../src/http/undici.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Answer = (response: ServerResponse, number: number, request: IncomingMessage) => void;

const answerAll: Answer = (response) => response.end("{}");

/** Answers each request as `answer` does it, and says over which connection each came. */
async function serve(answer = answerAll) {
  const connections: unknown[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (!connections.includes(request.socket)) connections.push(request.socket);
    requests.push(`${request.method} ${connections.indexOf(request.socket)}`);
    answer(response, requests.length, request);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, requests, url: `http://127.0.0.1:${port}/` };
}

type Reuse = NonNullable<Control["reuse"]>;

const keep: Reuse = () => "keep";

const read = (exchange: Exchange, url: string, { deadline = 5000, reuse = keep } = {}) =>
  exchange({ method: "GET", url, headers: {} }, { deadline, reuse });
const create = (exchange: Exchange, url: string) =>
  exchange({ method: "POST", url, headers: {}, body: "{}" }, { deadline: 5000 });
const statusOf = (outcome: Outcome) => (outcome.phase === "answered" ? outcome.status : outcome);

describe("a read that many others follow", () => {
  it("takes up the connection of one before", async () => {
    const { requests, url } = await serve();
    const exchange = createExchange({});
    for (let count = 0; count < 3; count += 1) expect(statusOf(await read(exchange, url))).toBe(200);
    expect(requests).toEqual(["GET 0", "GET 0", "GET 0"]);
  });

  it("has one of its own beside another at the same time", async () => {
    const { requests, url } = await serve((response) => setTimeout(() => response.end("{}"), 100));
    const exchange = createExchange({});
    await Promise.all([read(exchange, url), read(exchange, url)]);
    expect(requests).toEqual(["GET 0", "GET 1"]);
  });

  it("leaves it to no create, and to no other read", async () => {
    const { requests, url } = await serve();
    const exchange = createExchange({});
    await read(exchange, url);
    await create(exchange, url);
    await exchange({ method: "GET", url, headers: {} }, { deadline: 5000 });
    await read(exchange, url);
    expect(requests).toEqual(["GET 0", "POST 1", "GET 2", "GET 0"]);
  });

  it("leaves it to no other service", async () => {
    const one = await serve();
    const other = await serve();
    const exchange = createExchange({});
    await read(exchange, one.url);
    await read(exchange, other.url);
    expect([one.requests, other.requests]).toEqual([["GET 0"], ["GET 0"]]);
  });

  it.each(["close", "doubt"] as const)("leaves nothing after an answer that says %s", async (judged) => {
    const { requests, url } = await serve();
    const exchange = createExchange({});
    expect(statusOf(await read(exchange, url, { reuse: () => judged }))).toBe(200);
    await read(exchange, url);
    expect(requests).toEqual(["GET 0", "GET 1"]);
  });

  it("leaves nothing after an answer that was cut off", async () => {
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
});

describe("a read on what another has left", () => {
  it("is asked again on a new one where the service has closed it", async () => {
    const { server, requests, url } = await serve();
    const exchange = createExchange({});
    await read(exchange, url);
    server.closeAllConnections();
    expect(statusOf(await read(exchange, url))).toBe(200);
    expect(requests).toEqual(["GET 0", "GET 1"]);
  });

  it("is asked again on a new one where the service closes it instead of an answer", async () => {
    const { requests, url } = await serve((response, number) => {
      if (number === 2) response.socket?.destroy();
      else response.end("{}");
    });
    const exchange = createExchange({});
    await read(exchange, url);
    expect(statusOf(await read(exchange, url))).toBe(200);
    expect(requests).toEqual(["GET 0", "GET 0", "GET 1"]);
  });

  it("is asked again once, and then told as it is", async () => {
    const { requests, url } = await serve((response, number) => {
      if (number > 1) response.socket?.destroy();
      else response.end("{}");
    });
    const exchange = createExchange({});
    await read(exchange, url);
    expect(await read(exchange, url)).toMatchObject({ phase: "unanswered", reason: "reset" });
    expect(requests).toEqual(["GET 0", "GET 0", "GET 1"]);
  });

  it("is not asked again after its deadline", async () => {
    const { requests, url } = await serve((response, number) => void (number === 1 && response.end("{}")));
    const exchange = createExchange({});
    await read(exchange, url);
    const outcome = await read(exchange, url, { deadline: 300 });
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "timeout" });
    expect(requests).toEqual(["GET 0", "GET 0"]);
  });

  it("has what is left of its deadline when it is asked again", async () => {
    const { requests, url } = await serve((response, number) => {
      if (number === 1) response.end("{}");
      if (number === 2) setTimeout(() => response.socket?.destroy(), 400);
      if (number === 3) setTimeout(() => response.end("{}"), 600);
    });
    const exchange = createExchange({});
    await read(exchange, url);
    const outcome = await read(exchange, url, { deadline: 800 });
    expect(outcome).toMatchObject({ phase: "unanswered", reason: "timeout" });
    expect(requests).toEqual(["GET 0", "GET 0", "GET 1"]);
  });

  it("is asked again on a new one after an answer in doubt, and that one is believed", async () => {
    const { requests, url } = await serve();
    const exchange = createExchange({});
    await read(exchange, url);
    expect(statusOf(await read(exchange, url, { reuse: () => "doubt" }))).toBe(200);
    expect(requests).toEqual(["GET 0", "GET 0", "GET 1"]);
  });
});

describe("an incident that is one of many to be read", () => {
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
  const missing = JSON.stringify({ statusCode: 404, error: "Not Found" });
  const incident = (id: string) => JSON.stringify({ id, name: `incident ${id}` });

  function clientFor(url: string) {
    const baseUrl = { value: url.slice(0, -1), origin: "the test" };
    const settings = {
      baseUrl,
      apiKey: { value: "a-key-of-this-test", origin: "the test" },
      account: { value: undefined, origin: "the test" },
      accountHeader: "x-service-account",
      clientIds: undefined,
    } as const;
    return createClient(settings, createExchange({}), { deadline: 5000 });
  }

  it("comes over the connection of those before it, found or missing", async () => {
    const { requests, url } = await serve((response, _, request) => {
      if (request.url?.endsWith(ids[0])) response.end(incident(ids[0]));
      else response.writeHead(404).end(missing);
    });
    const client = clientFor(url);
    for (const id of [...ids, ...ids]) {
      const found = await client.findIncident(id, "one of many");
      expect(found?.id).toBe(id === ids[0] ? id : undefined);
    }
    expect(requests).toEqual(["GET 0", "GET 0", "GET 0", "GET 0"]);
  });

  it("is never another one, whose answer a gateway sends too late", async () => {
    const { requests, url } = await serve((response, number, request) => {
      // The first is answered twice; the second answer waits until somebody asks for more.
      if (number === 1) response.writeHead(404).end(missing);
      else if (number === 2) response.end(incident(ids[0]));
      else response.end(incident(request.url?.split("/").at(-1) as string));
    });
    const client = clientFor(url);
    expect(await client.findIncident(ids[0], "one of many")).toBe(undefined);
    expect((await client.findIncident(ids[1], "one of many"))?.id).toBe(ids[1]);
    expect(requests).toEqual(["GET 0", "GET 0", "GET 1"]);
  });

  it.each([
    ["a failure", 503, "{}"],
    ["a 404 of something in between", 404, "<p>not here"],
    ["too many requests", 429, JSON.stringify({ statusCode: 429, error: "Too Many Requests" })],
  ])("leaves no connection after %s", async (_, status, body) => {
    const { requests, url } = await serve((response, number) => {
      if (number === 1) response.writeHead(status).end(body);
      else response.writeHead(404).end(missing);
    });
    const client = clientFor(url);
    await expect(client.findIncident(ids[0], "one of many")).rejects.toThrow();
    expect(await client.findIncident(ids[0], "one of many")).toBe(undefined);
    expect(requests).toEqual(["GET 0", "GET 1"]);
  });

  it("is not asked for again at once where a connection that was left says that there are too many", async () => {
    const { requests, url } = await serve((response, number) => {
      if (number === 1) response.writeHead(404).end(missing);
      else response.writeHead(429).end(JSON.stringify({ statusCode: 429, error: "Too Many Requests" }));
    });
    const client = clientFor(url);
    await client.findIncident(ids[0], "one of many");
    await expect(client.findIncident(ids[0], "one of many")).rejects.toThrow("too many requests");
    expect(requests).toEqual(["GET 0", "GET 0"]);
  });
});
