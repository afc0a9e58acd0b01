// Puts a client together from the settings, in the order that the house demands: settings are judged before the
// key is fetched, and that before anything is opened. No answer brings the key back out.

import { describePause, documentedRate, type Paced, type Rate, withPace } from "../http/rate-limiter.ts";
import { withoutSecrets } from "../http/redact.ts";
import { defaultMaxRetries, describeWait, type Retrying, withRetries } from "../http/retry.ts";
import { withTrace } from "../http/trace.ts";
import type { Exchange } from "../http/transport.ts";
import type { Context, Telling } from "../platform/context.ts";
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
export interface PacedClient extends Client, Pick<Paced, "roomFor"> {}

export async function connect(context: Context & Telling, flags: ConnectFlags): Promise<PacedClient> {
  return connectTo(context, await readServiceSettings(context, flags), flags);
}

/** A client for settings that are known already. */
export function connectTo(
  context: Context & Telling,
  settings: ServiceSettings,
  flags: Pick<ConnectFlags, "timeout" | "maxRetries" | "rate">,
): PacedClient {
  const { timeout = defaultTimeout, maxRetries = defaultMaxRetries, rate = documentedRate } = flags;
  const { clock, random, wait } = context;
  const opened = openExchange(context, [settings.apiKey.value]);
  const { host } = new URL(settings.baseUrl.value);
  const shown: Exchange = (...given) =>
    wait(
      () => `waiting for ${host}`,
      () => opened(...given),
    );
  const { exchange, roomFor } = withPace(shown, {
    clock,
    rate,
    pause: async (milliseconds, signal) => {
      context.progress(describePause(milliseconds));
      await clock.sleep(milliseconds, signal);
      context.progress("");
    },
  });
  const retried = withRetries(exchange, { clock, random, maxRetries, pause: createPause(context) });
  return { ...createClient(settings, retried, { deadline: timeout, signal: context.signal }), roomFor };
}

/** Waits before a request is sent again; a person sees why, and for how much longer. */
export function createPause({ clock, wait }: Pick<Context & Telling, "clock" | "wait">): Retrying["pause"] {
  return (outcome, milliseconds, signal) => {
    const until = clock.now() + milliseconds;
    const say = () => describeWait(outcome, until - clock.now());
    return wait(say, () => clock.sleep(milliseconds, signal), "noted");
  };
}

/** The way to the network, traced under --debug; the secrets go out by it and do not come back. */
export function openExchange(context: Context & Telling, secrets: readonly string[]): Exchange {
  const exchange = withoutSecrets(context.openExchange(), secrets);
  const { clock, trace } = context;
  return trace === undefined ? exchange : withTrace(exchange, { secrets, now: clock.now, write: trace });
}

/** Resolves all settings, and fetches the key. Throws a `Failure`. */
export function readServiceSettings(context: Context, flags: SettingsFlags): Promise<ServiceSettings> {
  return resolveService(settingsSources(context, flags), (source) => readKey(context, source));
}
