// The rate limiter, in particular with a clock that is set back.
import { expect, it } from "vitest";
import { createRateLimiter } from "../../../src/http/rate-limiter.ts";

const minute = 60_000;

/** A limiter of 600 requests in a minute. Its pauses pass at once and are recorded. */
function start() {
  let wall = 1_800_000_000_000;
  let monotonic = 0;
  const pass = (milliseconds: number) => {
    wall += milliseconds;
    monotonic += milliseconds;
  };
  const pauses: number[] = [];
  const rateLimiter = createRateLimiter({
    clock: {
      now: () => wall,
      monotonic: () => monotonic,
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        pass(milliseconds);
      },
    },
    random: { fraction: () => 0.5 },
    rate: { requests: 600, window: minute },
    progress: () => undefined,
  });
  const transport = rateLimiter.limit(async () => ({
    phase: "answered",
    status: 200,
    headers: {},
    body: new Uint8Array(),
  }));
  /** Sends `count` requests, `apart` milliseconds after each other. */
  const send = async (count: number, apart: number) => {
    for (let sent = 0; sent < count; sent += 1) {
      await transport({ method: "GET", url: "http://127.0.0.1/", headers: {} }, { deadline: 1000 });
      pass(apart);
    }
  };
  const setBack = (milliseconds: number) => {
    wall -= milliseconds;
  };
  return { pauses, send, setBack };
}

it("waits for a window when the window is full", async () => {
  const { pauses, send } = start();
  await send(601, 0);
  expect(pauses).toEqual([minute + 1]);
});

it.each([
  ["has room", 200, []],
  ["is full", 600, [minute + 1]],
])(
  "waits for no longer than a window when the clock is set back while it %s",
  async (_, before, expected) => {
    const { pauses, send, setBack } = start();
    await send(before, 0);
    setBack(30 * minute);
    await send(900, 200);
    expect(pauses).toEqual(expected);
  },
);
