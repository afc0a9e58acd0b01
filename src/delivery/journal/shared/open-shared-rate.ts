// The rate limit that the processes of a fleet share, where the engine of their journal can hold it.
import type { SharedRate } from "../../../http/rate-limiter.ts";
import type { Clock } from "../../../platform/context.ts";
import type { JournalSettings } from "../../../settings/journal-location.ts";
import type { ServiceKey } from "../events.ts";
import { hash } from "../journal.ts";
import type { ServerDeps } from "../postgres/server.ts";

/** Spec 8, less what may be sent at once. */
const limit = { requests: 600, window: 60_000, burst: 20 } as const;

/** The limit is not asked for again for this long after it could not be reached, in milliseconds. */
const restTime = 60_000;

/** Undefined where the journal's engine holds no limit. */
export async function openSharedRate(
  deps: ServerDeps & { readonly system: { readonly clock: Pick<Clock, "monotonic"> } },
  { location }: JournalSettings,
  service: ServiceKey,
): Promise<SharedRate | undefined> {
  if (location.value.kind !== "postgres") return undefined;
  const { openSlots } = await import("../postgres/open-postgres.ts");
  const key = hash([service.baseUrl, service.account ?? null]).slice(0, 40);
  const takeSlot = openSlots(deps, location.value.url, key, limit);
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    async reserve() {
      if (deps.system.clock.monotonic() < restsUntil) return undefined;
      try {
        const { due, now } = await takeSlot();
        return Math.max(0, due - now);
      } catch {
        // Each process keeps to its own limit, and slows down after a 429.
        restsUntil = deps.system.clock.monotonic() + restTime;
        return undefined;
      }
    },
  };
}
