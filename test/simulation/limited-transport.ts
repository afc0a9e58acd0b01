// The transport of a process with the real rate limiter and the real retries of reads, in the order in which
// create-transport.ts assembles them. The limit is so low that each process has to wait.
import { withRateLimit } from "../../src/http/rate-limiter.ts";
import { withRetries } from "../../src/http/retry.ts";
import type { Transport } from "../../src/http/transport.ts";
import type { Reporter, System } from "../../src/platform/context.ts";

const rate = { requests: 1, window: 60_000 };

export interface LimitOptions {
  readonly maxRetries: number;
  readonly reporter: Pick<Reporter, "withSpinner">;
  readonly system: Pick<System, "clock" | "random">;
}

export function withLimit(transport: Transport, { maxRetries, reporter, system }: LimitOptions): Transport {
  const deps = { ...reporter, system };
  return withRetries(withRateLimit(transport, deps, rate), deps, maxRetries);
}
