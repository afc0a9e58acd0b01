// The rate limiter, in particular with a clock that is set back.
import { expect, it } from "vitest";
import { withRateLimit } from "../../../src/http/rate-limiter.ts";
import type { Outcome, Transport } from "../../../src/http/transport.ts";

const minute = 60_000;

const ok: Outcome = { phase: "answered", status: 200, headers: {}, body: new Uint8Array() };

/** A limiter of 600 requests in a minute. Its pauses pass at once and are recorded. */
function start(end: () => Outcome = () => ok) {
  let wall = 1_800_000_000_000;
  let monotonic = 0;
  const pass = (milliseconds: number) => {
    wall += milliseconds;
    monotonic += milliseconds;
  };
  const pauses: number[] = [];
  let atOnce = 0;
  let most = 0;
  const answering: Transport = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
    return end();
  };
  const transport = withRateLimit(answering, {
    system: {
      clock: {
        now: () => wall,
        monotonic: () => monotonic,
        sleep: async (milliseconds) => {
          pauses.push(milliseconds);
          pass(milliseconds);
          await new Promise(setImmediate);
        },
      },
      random: { guid: () => "", fraction: () => 0.5 },
    },
    withSpinner: (_say, work) => work(),
  });
  const sendOne = () =>
    transport({ method: "GET", url: "http://127.0.0.1/", headers: {} }, { deadline: 1000 });
  /** Sends `count` requests, `apart` milliseconds after each other. */
  const send = async (count: number, apart: number) => {
    for (let sent = 0; sent < count; sent += 1) {
      await sendOne();
      pass(apart);
    }
  };
  const setBack = (milliseconds: number) => {
    wall -= milliseconds;
  };
  return { most: () => most, pauses, send, sendOne, setBack };
}

it("waits for a window when the window is full", async () => {
  const { pauses, send } = start();
  await send(601, 0);
  expect(pauses).toEqual([minute + 1]);
});

const unsent: Outcome = { phase: "unsent", reason: "timeout", detail: "too late" };

it.each<[string, () => Outcome]>([
  ["ends before a byte of it is sent", () => unsent],
  [
    "is not sent, because its entry is not durable",
    () => {
      throw new Error("the journal cannot be written");
    },
  ],
])("counts no request that %s", async (_, end) => {
  const { pauses, sendOne } = start(end);
  for (let sent = 0; sent < 700; sent += 1) await sendOne().catch(() => undefined);
  expect(pauses).toEqual([]);
});

it("lets no more through at once than the window has room for", async () => {
  const { most, send, sendOne } = start();
  await send(600, 0);
  await Promise.all(Array.from({ length: 620 }, sendOne));
  expect(most()).toBe(600);
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
