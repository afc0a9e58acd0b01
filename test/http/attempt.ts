// Sends one request to a test server and checks what must hold for every request: it is asked
// whether it is overdue exactly once if and only if something was sent, and no connection stays open.
import { expect } from "vitest";
import type { Control, Outcome, WireRequest } from "../../src/http/transport.ts";
import { createUndiciTransport } from "../../src/http/undici-transport.ts";

export interface Attempt
  extends Partial<Pick<Control, "deadline" | "signal" | "beforeSend" | "isOverdue">>,
    Partial<Pick<WireRequest, "method" | "body">> {
  readonly url: string;
  readonly ca?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function send({ url, ca, env = {}, method = "POST", body, ...options }: Attempt): Promise<Outcome> {
  const headers = { authorization: "Bearer key-of-this-test", "content-type": "application/json" };
  const request = { method, url, headers, ...(method === "POST" && { body: body ?? '{"name":"x"}' }) };
  return createUndiciTransport(env, ca)(request, { deadline: 60_000, ...options });
}

export async function sendAndCheck(
  attempt: Attempt,
  servers: readonly { readonly open: number }[],
): Promise<Outcome> {
  const before = countHandles();
  let sends = 0;
  const isOverdue = () => {
    sends += 1;
    return false;
  };
  const outcome = await send({ ...attempt, isOverdue });
  expect(sends).toBe(outcome.phase === "unsent" ? 0 : 1);
  for (const server of servers) await expect.poll(() => server.open).toBe(0);
  await expect.poll(countHandles).toBeLessThanOrEqual(before);
  return outcome;
}

/** Counts the connections and lookups that keep this process alive. */
function countHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCPSocket|TLS|TCPConnect|GetAddrInfo/.test(name))
    .length;
}
