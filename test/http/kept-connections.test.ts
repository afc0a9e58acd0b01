// Reads of a plan share connections. A create never does, a connection that was lost is replaced, and no read gets the
// answer of another.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withRetries } from "../../src/http/retry.ts";
import type { Control, Outcome, Transport } from "../../src/http/transport.ts";
import { createUndiciTransport } from "../../src/http/undici-transport.ts";
import { countHandles } from "./attempt.ts";
import { createIdentities } from "./certificates.ts";
import { answered, inBytes, response, short, unanswered, useServers } from "./fault-row.ts";
import type { Behaviour, FaultServer } from "./fault-server.ts";

const start = useServers();

/** Answers with the path of the request, and never closes the connection. */
const echoes: Behaviour = { requested: (socket, head) => socket.write(echo(head)) };

function pathOf(head: string): string {
  return / (\S+)/.exec(head)?.[1] ?? "";
}

function echo(head: string, ...headers: string[]): Buffer {
  const body = pathOf(head);
  return response(body, `content-length: ${body.length}`, ...headers);
}

type Listener = NonNullable<Behaviour["requested"]>;

/** Reacts to each request with the next of `listeners`, and to all further ones with the last. */
function inTurn(...listeners: Listener[]): Behaviour {
  let requests = 0;
  return {
    requested: (socket, head) => {
      const listener = listeners[Math.min(requests, listeners.length - 1)] as Listener;
      requests += 1;
      listener(socket, head);
    },
  };
}

const answer: Listener = (socket, head) => socket.write(echo(head));

/** Without retries: only a stale connection is replaced. */
function createTransport(options = {}): Transport {
  const unused = () => Promise.reject(new Error("no retry follows"));
  const clock = { now: Date.now, monotonic: () => performance.now(), sleep: unused };
  const system = { clock, random: { fraction: () => 0, guid: () => "" } };
  return withRetries(createUndiciTransport({}, options), { system, withSpinner: unused }, 0);
}

function reader(server: FaultServer, transport = createTransport()) {
  return async (path: string, control: Partial<Control> = {}): Promise<Outcome> => {
    const request = { method: "GET", url: `http://127.0.0.1:${server.port}${path}`, headers: {} } as const;
    return inBytes(await transport(request, { deadline: 5_000, sharesConnection: true, ...control }));
  };
}

describe("a connection is shared", () => {
  test("by reads that follow each other", async () => {
    const server = await start(echoes);
    const read = reader(server);
    for (const path of ["/a", "/b", "/c"]) expect(await read(path)).toEqual(answered(200, path));
    expect(server.connections).toBe(1);
    expect(server.requests).toBe(3);
  });

  test("by reads that follow each other over TLS", async () => {
    const { authority, proxy: localhost } = await createIdentities();
    const server = await start(echoes, localhost);
    const transport = createTransport({ ca: authority.cert });
    for (const path of ["/a", "/b"]) {
      const url = `https://localhost:${server.port}${path}`;
      const control = { deadline: 5_000, sharesConnection: true };
      const outcome = await transport({ method: "GET", url, headers: {} }, control);
      expect(inBytes(outcome)).toEqual(answered(200, path));
    }
    expect(server.connections).toBe(1);
  });

  test("by no more connections than there are concurrent reads", async () => {
    const server = await start(echoes);
    const read = reader(server);
    const paths = ["/a", "/b", "/c"];
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all(paths.map((path) => read(path)));
      expect(outcomes).toEqual(paths.map((path) => answered(200, path)));
    }
    expect(server.connections).toBe(3);
  });

  test("without keeping the process alive", async () => {
    const before = countHandles();
    const server = await start(echoes);
    await reader(server)("/a");
    expect(server.open).toBe(1);
    await expect.poll(countHandles).toBeLessThanOrEqual(before + 1);
  });
});

describe("a connection is not shared", () => {
  test("by a read that does not ask for it, which closes its own", async () => {
    const server = await start(echoes);
    const read = reader(server);
    await read("/a");
    expect(await read("/b", { sharesConnection: false })).toEqual(answered(200, "/b"));
    expect(server.connections).toBe(2);
    await expect.poll(() => server.open).toBe(1);
  });

  test("by a create", async () => {
    const server = await start(echoes);
    const transport = createTransport();
    const read = reader(server, transport);
    await read("/a");
    const url = `http://127.0.0.1:${server.port}/create`;
    const create = { method: "POST", url, headers: {}, body: "{}" } as const;
    expect(inBytes(await transport(create, { deadline: 5_000 }))).toEqual(answered(200, "/create"));
    expect(server.connections).toBe(2);
    await expect.poll(() => server.open).toBe(1);
    await read("/b");
    expect(server.connections).toBe(2);
  });

  test("by reads with another limit of the body", async () => {
    const server = await start(echoes);
    const read = reader(server);
    await read("/a", { bodyLimit: 1000 });
    expect(await read("/long", { bodyLimit: 2 })).toMatchObject({ bodyError: "too-large" });
    expect(await read("/long", { bodyLimit: 1000 })).toEqual(answered(200, "/long"));
    expect(server.connections).toBe(2);
  });

  test("by another service", async () => {
    const [one, two] = [await start(echoes), await start(echoes)];
    const transport = createTransport();
    await reader(one, transport)("/a");
    await reader(two, transport)("/b");
    expect([one.connections, two.connections]).toEqual([1, 1]);
  });

  test.each([
    ["says that it closes it", (head: string) => echo(head, "connection: close")],
    ["keeps it for a second only", (head: string) => echo(head, "keep-alive: timeout=1")],
    ["speaks HTTP/1.0", (head: string) => Buffer.from(`HTTP/1.0 ${String(echo(head)).slice(9)}`)],
  ])("where the service %s", async (_, respond) => {
    const server = await start({ requested: (socket, head) => socket.write(respond(head)) });
    const read = reader(server);
    for (const path of ["/a", "/b"]) expect(await read(path)).toEqual(answered(200, path));
    expect(server.connections).toBe(2);
    await expect.poll(() => server.open).toBe(0);
  });

  test("after a read that took too long, whose answer comes late", async () => {
    const server = await start(
      inTurn(answer, (socket, head) => setTimeout(() => socket.write(echo(head)), 2 * short), answer),
    );
    const read = reader(server);
    await read("/a");
    expect(await read("/late", { deadline: short })).toEqual(
      unanswered("timeout", "no answer within 300 ms"),
    );
    expect(await read("/b")).toEqual(answered(200, "/b"));
    expect(server.connections).toBe(2);
  });

  test("after a read that is cancelled", async () => {
    const cancel = new AbortController();
    const server = await start(inTurn(answer, () => cancel.abort(), answer));
    const read = reader(server);
    await read("/a");
    expect(await read("/b", { signal: cancel.signal })).toEqual(unanswered("cancelled"));
    expect(await read("/c")).toEqual(answered(200, "/c"));
    expect(server.connections).toBe(2);
    expect(server.requests).toBe(3);
  });
});

describe("a connection that the service closes", () => {
  const ways: readonly [string, Listener][] = [
    ["ends it", (socket) => socket.end()],
    ["resets it", (socket) => socket.resetAndDestroy()],
    ["answers in part", (socket) => socket.end("HTTP/1.1 20")],
    ["answers with nonsense", (socket) => socket.end("nonsense")],
  ];

  test.each(ways)("is replaced at once where the service %s", async (_, close) => {
    const server = await start(inTurn(answer, close, answer));
    const read = reader(server);
    await read("/a");
    expect(await read("/b")).toEqual(answered(200, "/b"));
    expect(server.connections).toBe(2);
    expect(server.requests).toBe(3);
  });

  test.each(ways)("is replaced once: where the service %s each time, the read fails", async (_, close) => {
    const server = await start(inTurn(answer, close));
    const read = reader(server);
    await read("/a");
    expect(await read("/b")).toMatchObject({
      phase: "unanswered",
      reason: expect.stringMatching(/reset|garbage/),
    });
    expect(server.connections).toBe(2);
    expect(server.requests).toBe(3);
  });

  test("is replaced where it was idle", async () => {
    const server = await start(echoes);
    const read = reader(server);
    await read("/a");
    server.drop();
    await expect.poll(() => server.open).toBe(0);
    expect(await read("/b")).toEqual(answered(200, "/b"));
    expect(server.connections).toBe(2);
    expect(server.requests).toBe(2);
  });

  test("is replaced within the budget of the read only", async () => {
    const closeLater: Listener = (socket) => setTimeout(() => socket.destroy(), 2 * short);
    const server = await start(inTurn(answer, closeLater, answer));
    const read = reader(server);
    await read("/a");
    expect(await read("/b", { budget: 10 })).toMatchObject({ phase: "unanswered", reason: "timeout" });
    expect(await read("/c", { budget: 5_000 })).toEqual(answered(200, "/c"));
    await expect.poll(() => server.open).toBe(1);
  });

  test("in the body of an answer leaves an answer that is cut", async () => {
    const server = await start(
      inTurn(answer, (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")),
    );
    const read = reader(server);
    await read("/a");
    expect(await read("/b")).toEqual(answered(200, "half", "truncated"));
    expect(server.connections).toBe(1);
  });
});

describe("an answer that is sent while no read waits", () => {
  test.each([
    ["with the answer before it", 0],
    ["a moment later", 20],
  ])("reaches no read when it comes %s", async (_, delay) => {
    const stray = response("stray");
    const server = await start(
      inTurn((socket, head) => {
        if (delay === 0) return socket.write(Buffer.concat([echo(head), stray]));
        socket.write(echo(head));
        setTimeout(() => socket.write(stray), delay);
        return undefined;
      }, answer),
    );
    const read = reader(server);
    expect(await read("/a")).toEqual(answered(200, "/a"));
    await sleep(5 * delay);
    expect(await read("/b")).toEqual(answered(200, "/b"));
    expect(server.connections).toBe(2);
  });

  test("reaches no read, however answers are split and connections end", async () => {
    const ending = fc.constantFrom("stay", "end", "reset", "stray");
    const plan = fc.array(fc.record({ ending, cut: fc.nat({ max: 80 }), isSplit: fc.boolean() }), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (steps, width) => {
        let requests = 0;
        const server = await start({
          requested: (socket, head) => {
            const { ending, cut, isSplit } = steps[requests++ % steps.length] as (typeof steps)[number];
            const bytes = echo(head);
            const close = () => {
              if (ending === "end") socket.end();
              if (ending === "reset") socket.resetAndDestroy();
            };
            const rest = Buffer.concat([
              bytes.subarray(cut),
              ...(ending === "stray" ? [response("stray")] : []),
            ]);
            if (!isSplit) return socket.write(Buffer.concat([bytes.subarray(0, cut), rest]), close);
            socket.write(bytes.subarray(0, cut));
            return setImmediate(() => socket.write(rest, close));
          },
        });
        const read = reader(server);
        await Promise.all(
          Array.from({ length: width }, async (_, worker) => {
            for (let number = 0; number < 5; number += 1) {
              const path = `/${worker}-${number}`;
              const outcome = await read(path);
              if (outcome.phase === "answered" && outcome.bodyError === undefined)
                expect(outcome).toEqual(answered(200, path));
            }
          }),
        );
        server.drop();
      }),
      { seed: 11, numRuns: 30 },
    );
  });
});
