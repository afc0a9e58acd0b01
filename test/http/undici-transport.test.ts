// The guarantees that a create relies on: a request is sent at most once, an unsent request stays unsent, and an ended
// request leaves nothing behind.
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { codeOf } from "../../src/failure.ts";
import { send, sendAndCheck } from "./attempt.ts";
import { answered, ends, inBytes, mebibyte, response, short, text, to, useServers } from "./fault-row.ts";
import { closedPort } from "./fault-server.ts";

const start = useServers();
const unsentInTime = { phase: "unsent", reason: "timeout", detail: "it could not be sent in time" };

test("opens no connection where beforeSend rejects, and rejects with its error", async () => {
  const server = await start({});
  const stop = new Error("the event is taken");
  const beforeSend = async () => {
    throw stop;
  };
  await expect(send({ url: to(server), beforeSend })).rejects.toBe(stop);
  expect(server.connections).toBe(0);
});

test("an overdue request is not sent, although no timer ran", async () => {
  const server = await start({});
  expect(await send({ url: to(server), isOverdue: () => true })).toMatchObject(unsentInTime);
  await expect.poll(() => server.open).toBe(0);
  expect(server.bytes).toBe(0);
});

describe("a request that cannot be sent", () => {
  test.each([
    ["nothing listens", "127.0.0.1"],
    ["every address of a host refuses", "localhost"],
  ])("is unsent when %s", async (_, host) => {
    const url = `http://${host}:${await closedPort()}/`;
    expect(await sendAndCheck({ url }, [])).toEqual({
      phase: "unsent",
      reason: "connection",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("is unsent when the host has no address", async () => {
    const outcome = await sendAndCheck({ url: "https://does-not-exist.invalid/", deadline: 20_000 }, []);
    expect(outcome).toEqual({
      phase: "unsent",
      reason: "unresolved",
      detail: expect.stringContaining("does-not-exist.invalid"),
    });
  });
});

describe("the signal", () => {
  const unsent = { phase: "unsent", reason: "cancelled", detail: "cancelled" };

  test("opens no connection when it is aborted already", async () => {
    const server = await start(ends(response(text)));
    const outcome = await sendAndCheck({ url: to(server), signal: AbortSignal.abort() }, [server]);
    expect(outcome).toEqual(unsent);
    expect(server.connections).toBe(0);
  });

  test("ends a request while it connects", async () => {
    // A TCP server that ignores the TLS handshake.
    const abort = new AbortController();
    const server = await start({ started: () => abort.abort() });
    const url = `https://127.0.0.1:${server.port}/`;
    expect(await sendAndCheck({ url, signal: abort.signal }, [server])).toEqual(unsent);
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });

  test("ends a request that was sent", async () => {
    const abort = new AbortController();
    const server = await start({ requested: () => abort.abort() });
    expect(await sendAndCheck({ url: to(server), signal: abort.signal }, [server])).toEqual({
      phase: "unanswered",
      reason: "cancelled",
      detail: "cancelled",
    });
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });

  test("ends a body and keeps the part that arrived", async () => {
    const abort = new AbortController();
    // More than the system's buffers hold: when it is written, the client has read the head.
    const part = Buffer.alloc(14 * mebibyte);
    const server = await start({
      requested: (socket) => {
        socket.write(response(part, `content-length: ${15 * mebibyte}`), () => abort.abort());
      },
    });
    const outcome = await sendAndCheck({ url: to(server), signal: abort.signal }, [server]);
    // Without the bytes, of which a failure would draw each.
    const hasPart = "body" in outcome && outcome.body.length > 0;
    expect({ ...outcome, body: hasPart }).toEqual({ ...answered(200, "", "cancelled"), body: true });
  });
});

describe("the deadline", () => {
  test("holds while a TLS handshake stalls", async () => {
    const server = await start({});
    const url = `https://127.0.0.1:${server.port}/`;
    expect(await sendAndCheck({ url, deadline: short }, [server])).toEqual(unsentInTime);
  });

  test("ends the connection of a request without an answer with a reset, and an answered one without", async () => {
    for (const [answer, code] of [
      ["", "ECONNRESET"],
      [response(text), undefined],
    ] as const) {
      let ended = (_: unknown) => {};
      const end = new Promise((resolve) => {
        ended = resolve;
      });
      const server = await start({
        accepted(socket) {
          socket.once("data", () => socket.write(answer));
          socket.once("error", (error) => ended(codeOf(error)));
          socket.once("end", () => ended(undefined));
        },
      });
      await send({ url: to(server), deadline: answer === "" ? short : 60_000 });
      expect(await end).toBe(code);
    }
  });

  test("may be longer than a timer can wait", async () => {
    const server = await start(ends(response(text)));
    const outcome = await send({ url: to(server), deadline: 2 ** 32 });
    expect(inBytes(outcome)).toEqual(answered(200, text));
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])(
    "with %d is an ordinary answer and is not followed",
    async (status) => {
      const elsewhere = await start(ends(response(text)));
      const location = `location: ${to(elsewhere)}`;
      const server = await start(
        ends(`HTTP/1.1 ${status} Moved\r\n${location}\r\ncontent-length: 0\r\n\r\n`),
      );
      const outcome = await sendAndCheck({ url: to(server) }, [server]);
      expect(inBytes(outcome)).toEqual(answered(status, ""));
      expect(elsewhere.connections).toBe(0);
    },
  );
});

test("a repeated header's values are joined", async () => {
  const server = await start(ends(response(text, "x-a: 1", "X-A: 2", "__proto__: 3", "connection: close")));
  const outcome = await send({ url: to(server), method: "GET" });
  expect(outcome).toHaveProperty("headers.x-a", "1, 2");
  expect(outcome).toHaveProperty("headers.connection", "close");
});

test("each request has its own connection and sends connection: close", async () => {
  const server = await start({ requested: (socket) => socket.write(response(text)) });
  for (const _ of [1, 2]) await send({ url: to(server) });
  expect(server.connections).toBe(2);
  const closes = expect.stringMatching(/^connection: close/m);
  expect(server.heads).toEqual([closes, closes]);
});

test("no timer is left after the answer", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const server = await start(ends(response(text)));
  const before = timers();
  await send({ url: to(server), deadline: 60_000 });
  expect(timers()).toBeLessThanOrEqual(before);
});
