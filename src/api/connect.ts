// Builds a client from the settings: checks them, then fetches the key, and opens the network only with the first
// request.
import { createTransport } from "../http/create-transport.ts";
import { parseRate } from "../http/pace.ts";
import { createRateLimiter, createRatePause, type RateLimiter } from "../http/rate-limiter.ts";
import { defaultMaxRetries } from "../http/retry.ts";
import type { Context, Reporter, System } from "../platform/context.ts";
import { readKey } from "../workspace/credentials.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { documentedRate, rateSettings } from "../workspace/rate-setting.ts";
import { resolveService, type ServiceSettings } from "../workspace/resolve.ts";
import { type SettingsDeps, type SettingsFlags, settingsSources } from "../workspace/workspace.ts";
import { type Client, createClient } from "./client.ts";

/** The default of --timeout, in milliseconds. */
export const defaultTimeout = 30_000;

export interface ClientOptions {
  /** Milliseconds for one request. */
  readonly timeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** As `--rate` gives it. */
  readonly rate?: string | undefined;
}

export interface ConnectOptions extends ClientOptions, SettingsFlags {}

export interface ClientDeps
  extends Pick<Context, "network">,
    Pick<Reporter, "debug" | "progress" | "withSpinner"> {
  readonly system: Pick<System, "clock" | "env" | "random" | "signal">;
}

export type ConnectDeps = Omit<ClientDeps, "system"> & SettingsDeps & Pick<Context, "system">;

/** A client, the rate limiter of its requests for those who plan ahead, and where the journal is kept. */
export interface Connection {
  readonly client: Client;
  readonly rateLimiter: RateLimiter;
  readonly journal: JournalSettings;
}

/** Resolves all settings and fetches the key. Throws a `Failure`. */
export async function connect(context: ConnectDeps, options: ConnectOptions): Promise<Connection> {
  const { journal, settings } = await resolveService(settingsSources(context, options), (source) =>
    readKey(context, source),
  );
  return { ...connectTo(context, settings, options, journal.secrets), journal };
}

/** A client for settings that are known already. */
export function createServiceClient(
  context: ClientDeps,
  settings: ServiceSettings,
  options: ClientOptions,
): Client {
  return connectTo(context, settings, options, []).client;
}

function connectTo(
  context: ClientDeps,
  settings: ServiceSettings,
  options: ClientOptions,
  secrets: readonly string[],
): Omit<Connection, "journal"> {
  const { network, system } = context;
  const { timeout = defaultTimeout, maxRetries = defaultMaxRetries } = options;
  const { clock, random, signal } = system;
  const [{ origin, value } = documentedRate] = rateSettings(system.env, options.rate);
  const rate = parseRate(value, origin);
  const rateLimiter = createRateLimiter({ clock, random, rate, pause: createRatePause(clock, context) });
  const transport = createTransport(
    { network, system, reporter: context },
    { secrets: [settings.apiKey.value, ...secrets], rateLimiter, maxRetries },
  );
  return { client: createClient(settings, transport, { deadline: timeout, signal }), rateLimiter };
}
