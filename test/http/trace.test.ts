// The trace of --debug: its lines, without the key.
import { describe, expect, test } from "vitest";
import { createRawTransport } from "../../src/http/create-transport.ts";
import type { Outcome, Transport, WireRequest } from "../../src/http/transport.ts";

const key = 'sk/live+"51\\x"==';

async function trace(outcome: Outcome, request: Partial<WireRequest> = {}, secret = key): Promise<string[]> {
  const lines: string[] = [];
  let now = 1_000;
  const transport: Transport = async () => {
    now += 12.4;
    return outcome;
  };
  const traced = tracing(transport, secret, { now: () => now, write: (line) => void lines.push(line) });
  const sent: WireRequest = { method: "GET", url: "https://status.example/v1", headers: {}, ...request };
  expect(await traced(sent, { deadline: 1 })).toMatchObject({ phase: outcome.phase });
  return lines.filter((line) => !/^> (?:accept-encoding: identity|user-agent: incident-cli\/)/.test(line));
}

interface Tracing {
  readonly now: () => number;
  readonly write: (line: string) => void;
}

function tracing(transport: Transport, secret: string, { now, write }: Tracing): Transport {
  const system = { clock: { now, monotonic: now, sleep: async () => undefined }, env: {} };
  return createRawTransport({ debug: write, network: transport, system }, [secret]);
}

function answer(body: string, headers: Record<string, string> = {}): Outcome {
  return { phase: "answered", status: 200, headers, body: Buffer.from(body) };
}

test("writes a line for each step, in order", async () => {
  const request = { method: "POST", headers: { accept: "application/json" }, body: "{}" } as const;
  expect(await trace(answer("yes", { "content-type": "text/plain" }), request)).toEqual([
    "> POST https://status.example/v1",
    "> accept: application/json",
    "> {}",
    "< 200, 3 bytes in 12 ms",
    "< content-type: text/plain",
    "< yes",
  ]);
});

test.each<[Outcome, string]>([
  [answer(""), "< 200, 0 bytes in 12 ms"],
  [
    { ...(answer("x") as object), bodyError: "truncated" } as Outcome,
    "< 200, 1 bytes, body truncated in 12 ms",
  ],
  [{ phase: "unsent", reason: "connection", detail: "no" }, "< unsent (connection: no) in 12 ms"],
  [{ phase: "unanswered", reason: "reset", detail: "gone" }, "< unanswered (reset: gone) in 12 ms"],
])("the ending of %j is said", async (outcome, line) => {
  expect((await trace(outcome))[1]).toBe(line);
});

describe("no line contains the key", () => {
  const inJson = JSON.stringify(key).slice(1, -1);
  const forms = [key, encodeURIComponent(key), inJson, inJson.replaceAll("/", "\\/")];

  test.each<[string, Outcome, Partial<WireRequest>]>([
    ["when it is sent in a header", answer(""), { headers: { authorization: `Bearer ${key}` } }],
    ["when it is sent in a URL", answer(""), { url: `https://status.example/?t=${encodeURIComponent(key)}` }],
    ["when it is sent in a body", answer(""), { method: "POST", body: JSON.stringify({ name: key }) }],
    ["when a header echoes it", answer("", { "x-echo": `Bearer ${key}, ${key}` }), {}],
    ["when a redirect echoes it", answer("", { location: `/?t=${encodeURIComponent(key)}` }), {}],
    ["when a body echoes it", answer(`<p>${key}</p>${key}`), {}],
    ["when JSON echoes it", answer(JSON.stringify({ message: `bad token ${key}` })), {}],
    ["when JSON with escaped slashes echoes it", answer(`{"message":"${forms[3]}"}`), {}],
    ["when an error repeats it", { phase: "unsent", reason: "connection", detail: `bad header ${key}` }, {}],
  ])("%s", async (_, outcome, request) => {
    const lines = (await trace(outcome, request)).join("\n");
    expect(lines).toContain("[key]");
    for (const form of forms) expect(lines).not.toContain(form);
  });

  test("wherever the cut of a long body falls", async () => {
    const plainKey = "abcdefghijklmnopqrstuvwxyz";
    for (let before = 2048 - plainKey.length - 1; before <= 2049; before += 1) {
      const lines = await trace(answer(`${"-".repeat(before)}${plainKey}${"-".repeat(99)}`), {}, plainKey);
      expect(lines.at(-1)).not.toMatch(/-abc/);
      expect(lines.at(-1)?.length).toBe(2048 + "< ".length);
    }
  });
});

test("an empty secret changes nothing", async () => {
  expect((await trace(answer("body"), {}, "")).at(-1)).toBe("< body");
});

test("a rejection of the transport passes through", async () => {
  const stop = new Error("stop");
  const traced = tracing(() => Promise.reject(stop), key, { now: () => 0, write: () => undefined });
  await expect(traced({ method: "GET", url: "x", headers: {} }, { deadline: 1 })).rejects.toBe(stop);
});
