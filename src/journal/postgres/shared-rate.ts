// The rate limit of a key in one row, on the server's clock: the generic cell rate algorithm. It gives each request
// the time at which it is due, so that processes which share the row keep to the limit together.
import { createBatcher } from "../batcher.ts";
import { resolveServer, type ServerDeps } from "./server.ts";
import { createSession, type Session } from "./session.ts";

/** In any window no more than `burst` and those that are due in it, so that both together are the limit. */
export interface SharedLimit {
  readonly requests: number;
  /** Milliseconds. */
  readonly window: number;
  /** How many may be sent at once after a pause. */
  readonly burst: number;
}

/** Milliseconds on the server's clock. */
export interface Slot {
  readonly due: number;
  readonly now: number;
}

export function slotInterval({ burst, requests, window }: SharedLimit): number {
  return window / (requests - burst);
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

/** The slots of a journal's server. Nothing is connected before the first is taken. */
export function openSlots(
  deps: ServerDeps,
  url: string,
  key: string,
  limit: SharedLimit,
): ReturnType<typeof createSlots> {
  const server = resolveServer(deps, url);
  return createSlots(createSession(server), `${server.scope}:${key}`, limit);
}

/** Takes the next slot; those that are asked for at the same time are taken together. Rejects where it cannot. */
export function createSlots(session: Session, key: string, limit: SharedLimit): () => Promise<Slot> {
  const interval = slotInterval(limit);
  const take = createBatcher<undefined, Slot>(async (requests) => {
    const [row] = await session.query(takeSlots, [key, requests.length, interval, limit.burst]);
    const [first, now] = (row ?? []).map(Number);
    return requests.map((_, index) => ({ due: Number(first) + index * interval, now: Number(now) }));
  });
  return () => take(undefined);
}
