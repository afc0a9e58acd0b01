// Reads incidents repeatedly, within the rate limit of the service, and continues when the network fails.
import type { Client } from "../../api/client.ts";
import { Failure } from "../../failure.ts";
import type { Status } from "../../incident/values.ts";
import type { Incident } from "../../incident/wire.ts";
import type { System } from "../../platform/context.ts";

export interface PollResult {
  readonly incidents: readonly Incident[];
  readonly at: number;
  readonly failure?: Failure;
}

export interface WaitCondition {
  readonly status: Status;
  readonly timeout: number;
  /** No read begins after this time of the monotonic clock. The wait goes on until its timeout. */
  readonly lastReadAt: number;
  isReached(incident: Incident): boolean;
}

export interface PollOptions {
  readonly system: Pick<System, "clock" | "signal">;
  /** For the first read, which must succeed, so that wrong settings end the command at once. */
  readonly client: Client;
  /** For later reads, without retries: the next poll is the retry. */
  readonly clientWithoutRetries: Client;
  readonly ids: readonly string[];
  readonly interval: number;
  /** Milliseconds after which the last result is yielded again, to update a displayed clock. */
  readonly tick?: number;
  /** The poll ends when it is reached. */
  readonly condition: WaitCondition | undefined;
}

/** The longest backoff while the service fails, in milliseconds, unless the interval is longer. */
const maxBackoff = 60_000;

/** Ends when the condition is reached, or the signal is aborted. Throws a `Failure` that is not temporary. */
export async function* poll(options: PollOptions): AsyncGenerator<PollResult, void> {
  const { system, client, clientWithoutRetries, condition, ids, interval, tick } = options;
  const lastReadAt = condition?.lastReadAt ?? Number.POSITIVE_INFINITY;
  const { clock, signal } = system;
  let result: PollResult = { incidents: await readAll(client, ids), at: clock.now() };
  let failures = 0;
  for (;;) {
    yield result;
    if (condition !== undefined && result.incidents.every(condition.isReached)) return;
    const backoff = Math.min(Math.max(maxBackoff, interval), interval * 2 ** failures);
    const now = clock.monotonic();
    // After the last read only the signal ends the wait.
    const next = now < lastReadAt ? Math.min(now + backoff, lastReadAt) : now + backoff;
    const isLast = now >= lastReadAt;
    while (clock.monotonic() < next && !signal.aborted) {
      const remaining = next - clock.monotonic();
      await clock.sleep(Math.min(remaining, tick ?? remaining), signal);
      if (tick !== undefined && clock.monotonic() < next && !signal.aborted) yield result;
    }
    if (signal.aborted) return;
    if (isLast) continue;
    try {
      result = { incidents: await readAll(clientWithoutRetries, ids), at: clock.now() };
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure) || error.kind !== "unavailable") throw error;
      result = { ...result, failure: error };
      failures += 1;
    }
  }
}

async function readAll(client: Client, ids: readonly string[]): Promise<readonly Incident[]> {
  const incidents: Incident[] = [];
  for (const id of ids) incidents.push(await client.getIncident(id));
  return incidents;
}
