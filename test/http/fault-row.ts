// A table of server faults, one row each, and the function that tests it.
import { afterEach, expect, test } from "vitest";
import type { Outcome } from "../../src/http/transport.ts";
import { type Attempt, sendAndCheck } from "./attempt.ts";
import { type Behaviour, type FaultServer, startServer } from "./fault-server.ts";

/** `fault` completes "a server that …". `requests` is the number that the server received, 1 by default. */
export type Row = [
  fault: string,
  server: Behaviour,
  outcome: object,
  options?: { readonly attempt?: Partial<Attempt>; readonly requests?: unknown },
];

/** A deadline for servers that never answer, in milliseconds. A busy machine sends the request, and the head of an answer, before it. */
export const short = 2000;
export const mebibyte = 1024 * 1024;
/** A request that is larger than the system's buffers. */
export const big = { body: "x".repeat(8 * mebibyte) };
export const text = "the whole body";
export const head = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n";

/** A 200 with its length, or with the given headers instead. */
export function response(body: string | Buffer, ...headers: string[]): Buffer {
  const lines = headers.length > 0 ? headers : [`content-length: ${Buffer.byteLength(body)}`];
  const top = `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(top), Buffer.from(body)]);
}

export const answers = (bytes: string | Buffer): Behaviour => ({
  requested: (socket) => socket.write(bytes),
});

export const ends = (bytes: string | Buffer): Behaviour => ({ requested: (socket) => socket.end(bytes) });

export const resets = (bytes: string | Buffer): Behaviour => ({
  // The client must read the bytes before the reset, which discards them.
  requested: (socket) => socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 1000)),
});

export function unanswered(reason: string, detail: unknown = expect.stringMatching(/\S/)) {
  return { phase: "unanswered", reason, detail };
}

export function answered(status: number, body: unknown, bodyError?: unknown) {
  return {
    phase: "answered",
    status,
    headers: expect.any(Object),
    body: typeof body === "string" ? new Uint8Array(Buffer.from(body)) : body,
    ...(bodyError !== undefined && { bodyError }),
  };
}

/** The outcome for a comparison: its body as a plain Uint8Array. */
export function inBytes(outcome: Outcome): Outcome {
  return outcome.phase === "answered" ? { ...outcome, body: new Uint8Array(outcome.body) } : outcome;
}

/** Starts servers that are stopped after each test. */
export function useServers(): (...args: Parameters<typeof startServer>) => Promise<FaultServer> {
  const servers: FaultServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  return async (...args) => {
    const server = await startServer(...args);
    servers.push(server);
    return server;
  };
}

export function to(server: FaultServer): string {
  return `http://127.0.0.1:${server.port}/v1/status-pages/incidents`;
}

export function testFaults(rows: readonly Row[]): void {
  const start = useServers();
  test.each(rows)("a server that %s", async (_, behaviour, expected, { attempt, requests = 1 } = {}) => {
    const server = await start(behaviour);
    const outcome = await sendAndCheck({ url: to(server), ...attempt }, [server]);
    expect(inBytes(outcome)).toEqual(expected);
    expect(server.requests).toEqual(requests);
    expect(server.connections).toBe(1);
    if (outcome.phase === "answered") expect(outcome.body.length).toBeLessThanOrEqual(16 * mebibyte);
  });
}
