// The rate limit that the processes of a fleet share, where the engine of their journal can hold it.
import type { SharedRate } from "../../http/rate-limiter.ts";
import type { Clock } from "../../platform/context.ts";
import type { JournalSettings } from "../../workspace/journal-location.ts";
import type { ServiceKey } from "../events.ts";
import { hash } from "../journal.ts";
import type { ServerDeps } from "../postgres/server.ts";

/** Spec 8, less what may be sent at once. */
const limit = { requests: 600, window: 60_000, burst: 20 } as const;

/** Milliseconds between a failure to reach the shared limit and the next attempt. */
const retryDelay = 60_000;

/** Undefined where the journal's engine holds no limit. */
export async function openSharedRateLimit(
  deps: ServerDeps & { readonly system: { readonly clock: Pick<Clock, "monotonic"> } },
  { location }: JournalSettings,
  service: ServiceKey,
): Promise<SharedRate | undefined> {
  if (location.value.kind !== "postgres") return undefined;
  const { openSlots } = await import("../postgres/shared-rate.ts");
  const key = hash([service.baseUrl, service.account]).slice(0, 40);
  const takeSlot = openSlots(deps, location.value.url, key, limit);
  let retryAt = Number.NEGATIVE_INFINITY;
  return {
    async reserve() {
      if (deps.system.clock.monotonic() < retryAt) return undefined;
      try {
        const { due, now } = await takeSlot();
        return Math.max(0, due - now);
      } catch {
        // Fallback: the limit of this process, which a 429 reduces.
        retryAt = deps.system.clock.monotonic() + retryDelay;
        return undefined;
      }
    },
  };
}
