// A create that arrives twice notifies customers twice: the request leaves at most once, at whatever point the
// connection breaks.
import type { Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sendAndCount } from "./attempt.ts";
import { mebibyte, response, text, to, useServers } from "./fault-row.ts";
import { pour } from "./fault-server.ts";

const start = useServers();

test("a create never arrives twice, wherever its connection breaks", async () => {
  const whole = response(text.repeat(20));
  const ways = {
    end: (socket: Socket) => socket.end(),
    destroy: (socket: Socket) => socket.destroy(),
    reset: (socket: Socket) => socket.resetAndDestroy(),
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("accepted", "started", "requested"),
      fc.constantFrom(...(["end", "destroy", "reset"] as const)),
      fc.nat({ max: whole.length }),
      fc.boolean(),
      async (moment, way, bytes, isBig) => {
        const close = (socket: Socket) => {
          socket.write(whole.subarray(0, bytes), () => ways[way](socket));
        };
        const server = await start({ [moment]: close });
        const body = isBig ? "x".repeat(mebibyte) : "{}";
        const { outcome, sends } = await sendAndCount({ url: to(server), body });
        await expect.poll(() => server.open, { interval: 2 }).toBe(0);
        expect(server.connections).toBe(1);
        expect(server.requests).toBeLessThanOrEqual(sends);
        expect(sends).toBe(outcome.phase === "unsent" ? 0 : 1);
      },
    ),
    { seed: 3, numRuns: 200 },
  );
});

test("a server that floods the connection before the request does not get the request twice", async () => {
  const server = await start({ accepted: (socket) => pour(socket, response(text), "") });
  const { sends } = await sendAndCount({ url: to(server) });
  await expect.poll(() => server.open, { interval: 2 }).toBe(0);
  expect(sends).toBeLessThanOrEqual(1);
  expect(server.requests).toBeLessThanOrEqual(sends);
});
