// Puts a client together from the settings, in the order that the house demands: settings are judged before the
// key is fetched, and that before anything is opened. No answer brings the key back out.

import {
  describePause,
  documentedRate,
  type Rate,
  type RateLimited,
  withRateLimit,
} from "../http/rate-limiter.ts";
import { withoutSecrets } from "../http/redact.ts";
import { defaultMaxRetries, describeWait, type RetryOptions, withRetries } from "../http/retry.ts";
import { withTrace } from "../http/trace.ts";
import type { Transport } from "../http/transport.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { readKey } from "../settings/credentials.ts";
import { resolveService, type ServiceSettings } from "../settings/resolve.ts";
import { type Client, createClient } from "./client.ts";
import { type SettingsFlags, settingsSources } from "./settings-files.ts";

/** Milliseconds for one request, unless --timeout says otherwise. */
export const defaultTimeout = 30_000;

export interface ConnectFlags extends SettingsFlags {
  /** Milliseconds for one request. */
  readonly timeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** How many requests may be sent in which time; the service's documented rate if it is not given. */
  readonly rate?: Rate | undefined;
}

/** A client that keeps to a rate. */
export interface RateLimitedClient extends Client, Pick<RateLimited, "waitForCapacity"> {}

export async function connect(context: Context & Reporter, flags: ConnectFlags): Promise<RateLimitedClient> {
  return createServiceClient(context, await readServiceSettings(context, flags), flags);
}

/** A client for settings that are known already. */
export function createServiceClient(
  context: Context & Reporter,
  settings: ServiceSettings,
  flags: Pick<ConnectFlags, "timeout" | "maxRetries" | "rate">,
): RateLimitedClient {
  const { timeout = defaultTimeout, maxRetries = defaultMaxRetries, rate = documentedRate } = flags;
  const { clock, random, withSpinner } = context;
  const opened = openTracedTransport(context, [settings.apiKey.value]);
  const { host } = new URL(settings.baseUrl.value);
  const shown: Transport = (...given) =>
    withSpinner(
      () => `waiting for ${host}`,
      () => opened(...given),
    );
  const { transport, waitForCapacity } = withRateLimit(shown, {
    clock,
    rate,
    pause: async (milliseconds, signal) => {
      context.progress(describePause(milliseconds));
      await clock.sleep(milliseconds, signal);
      context.progress("");
    },
  });
  const retried = withRetries(transport, {
    clock,
    random,
    maxRetries,
    waitForRetry: createRetryWait(context),
  });
  return {
    ...createClient(settings, retried, { deadline: timeout, signal: context.signal }),
    waitForCapacity,
  };
}

/** Waits before a request is sent again; a person sees why, and for how much longer. */
export function createRetryWait({
  clock,
  withSpinner,
}: Pick<Context & Reporter, "clock" | "withSpinner">): RetryOptions["waitForRetry"] {
  return (outcome, milliseconds, signal) => {
    const until = clock.now() + milliseconds;
    const say = () => describeWait(outcome, until - clock.now());
    return withSpinner(say, () => clock.sleep(milliseconds, signal), "noted");
  };
}

/** The way to the network, traced under --debug; the secrets go out by it and do not come back. */
export function openTracedTransport(context: Context & Reporter, secrets: readonly string[]): Transport {
  const transport = withoutSecrets(context.openTransport(), secrets);
  const { clock, debug } = context;
  return debug === undefined ? transport : withTrace(transport, { secrets, now: clock.now, write: debug });
}

/** Resolves all settings, and fetches the key. Throws a `Failure`. */
export function readServiceSettings(context: Context, flags: SettingsFlags): Promise<ServiceSettings> {
  return resolveService(settingsSources(context, flags), (source) => readKey(context, source));
}
