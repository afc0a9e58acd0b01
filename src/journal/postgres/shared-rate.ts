// The rate limit of a key in one row, on the server's clock: the generic cell rate algorithm. It gives each request
// the time at which it is due, so that processes which share the row keep to the limit together.
import type { SharedRate } from "../../http/rate-limiter.ts";
import type { Clock } from "../../platform/context.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { createBatcher } from "../batcher.ts";
import type { ServiceKey } from "../events.ts";
import { createSession, type Session } from "./connection.ts";
import { resolveServer, type ServerDeps } from "./server.ts";

/**
 * Spec 8. In any window no more than `burst`, which may be sent at once after a pause, and those that are due in it, so
 * that both together are the limit.
 */
const limit = { requests: 600, window: 60_000, burst: 20 } as const;

/** Milliseconds between two slots. */
const interval = limit.window / (limit.requests - limit.burst);

/** Milliseconds between a failure to reach the shared limit and the next attempt. */
const retryDelay = 60_000;

/** Milliseconds on the server's clock. */
export interface Slot {
  readonly due: number;
  readonly now: number;
}

/** $1: key; $2: the number of slots; $3: milliseconds between two; $4: the burst. */
const takeSlots = `WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
taken AS (
  INSERT INTO incident_rate AS rate (key, next_at)
  SELECT $1, now + ($2::float8 - $4::float8) * $3::float8 * interval '1 ms' FROM clock
  ON CONFLICT (key) DO UPDATE
    SET next_at = greatest(rate.next_at, clock_timestamp() - $4::float8 * $3::float8 * interval '1 ms')
      + $2::float8 * $3::float8 * interval '1 ms'
  RETURNING next_at
)
SELECT extract(epoch FROM next_at) * 1000 - $2::float8 * $3::float8, extract(epoch FROM clock_timestamp()) * 1000
FROM taken`;

/** The limit of a service and account on a journal's server. Nothing is connected before the first request. */
export function openSharedRate(
  deps: ServerDeps & { readonly system: { readonly clock: Pick<Clock, "monotonic"> } },
  url: string,
  { account, baseUrl }: ServiceKey,
): SharedRate {
  const { clock } = deps.system;
  const server = resolveServer(deps, url);
  const key = jsonDigest([baseUrl, account]).slice(0, 40);
  const takeSlot = createSlots(createSession(server), `${server.scope}:${key}`);
  let retryAt = Number.NEGATIVE_INFINITY;
  return {
    async reserve() {
      if (clock.monotonic() < retryAt) return undefined;
      try {
        const { due, now } = await takeSlot();
        return Math.max(0, due - now);
      } catch {
        // Fallback: the limit of this process, which a 429 reduces.
        retryAt = clock.monotonic() + retryDelay;
        return undefined;
      }
    },
  };
}

/** Takes no slot. Rejects where the limit cannot be shared. */
export async function checkSharedRate(deps: ServerDeps, url: string): Promise<void> {
  const server = resolveServer(deps, url);
  const session = createSession(server);
  try {
    await session.query(takeSlots, [`${server.scope}:doctor`, 0, interval, limit.burst]);
  } finally {
    session.close();
  }
}

/** Takes the next slot; those that are asked for at the same time are taken together. Rejects where it cannot. */
export function createSlots(session: Session, key: string): () => Promise<Slot> {
  const take = createBatcher<undefined, Slot>(async (requests) => {
    const [row] = await session.query(takeSlots, [key, requests.length, interval, limit.burst]);
    const [first, now] = (row ?? []).map(Number);
    return requests.map((_, index) => ({ due: Number(first) + index * interval, now: Number(now) }));
  });
  return () => take(undefined);
}
