// The assembled transport: which layer a request, a retry and a secret pass through.

import { expect, it } from "vitest";
import { createRawTransport, createTransport } from "../../src/http/create-transport.ts";
import type { Outcome, Transport, WireRequest } from "../../src/http/transport.ts";
import { version } from "../../src/version.ts";

const key = "key-0123456789";
const get: WireRequest = {
  method: "GET",
  url: "https://status.example/v1",
  headers: { authorization: `Bearer ${key}` },
};
const failed: Outcome = { phase: "answered", status: 503, headers: {}, body: Buffer.from(`no ${key}`) };
const found: Outcome = { phase: "answered", status: 200, headers: {}, body: Buffer.from("{}") };

/** A transport over a network that answers with `outcomes` in turn, and the log of all layers. */
function assemble(outcomes: Outcome[]) {
  const log: string[] = [];
  const network: Transport = async () => {
    log.push("request");
    return outcomes.shift() as Outcome;
  };
  let now = 0;
  const sleep = async (milliseconds: number) => {
    log.push("sleep");
    now += milliseconds;
  };
  const system = {
    clock: { now: () => 0, monotonic: () => now, sleep },
    random: { guid: () => "", fraction: () => 0.5 },
    env: {},
  };
  const reporter = {
    debug: (line: string) => void log.push(line),
    withSpinner: <T>(say: () => string, work: () => Promise<T>) => {
      log.push(say());
      return work();
    },
  };
  const deps = { network, system, ...reporter };
  const transport = createTransport(deps, { secrets: [key], maxRetries: 1 });
  return { deps, log, transport };
}

it("passes each attempt through the rate limit, the spinner and the trace", async () => {
  const { log, transport } = assemble([{ ...failed, status: 429 }, found]);
  expect(await transport(get, { deadline: 1000 })).toMatchObject({ status: 200 });
  const attempt = [
    "waiting for status.example",
    "> GET https://status.example/v1",
    "> authorization: Bearer [key]",
    `> user-agent: incident-cli/${version}`,
    "> accept-encoding: identity",
    "request",
  ];
  expect(log).toEqual([
    ...attempt,
    "< 429, 8 bytes in 0 ms",
    "< no [key]",
    "rate limited; trying again in 1 s",
    "sleep",
    "keeping to the rate limit for 6 s",
    "sleep",
    ...attempt,
    "< 200, 2 bytes in 0 ms",
    "< {}",
  ]);
});

it("sends a create once", async () => {
  const { log, transport } = assemble([failed]);
  const outcome = await transport({ ...get, method: "POST" }, { deadline: 1000 });
  expect(outcome).toMatchObject({ status: 503, body: Buffer.from("no [key]") });
  expect(log.filter((line) => line === "request")).toHaveLength(1);
});

it("has a raw form without rate limit, spinner and retries", async () => {
  const { deps, log } = assemble([failed]);
  await createRawTransport(deps, [key])(get, { deadline: 1000 });
  expect(log[0]).toBe("> GET https://status.example/v1");
  expect(log.filter((line) => line === "request")).toHaveLength(1);
});
