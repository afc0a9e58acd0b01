// Builds a client from the settings, and opens the network only with the first request.
import { createTransport } from "../http/create-transport.ts";
import { parseRate, withRateLimit } from "../http/rate-limiter.ts";
import { defaultMaxRetries } from "../http/retry.ts";
import type { Transport } from "../http/transport.ts";
import type { Context, Reporter, System } from "../platform/context.ts";
import { readKey } from "../workspace/credentials.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { rateSetting } from "../workspace/precedence.ts";
import type { ServiceSettings, ServiceTarget } from "../workspace/resolve.ts";
import { settings } from "../workspace/settings.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { withDocumentHeader, withHeaderAtHand, withLearnedHeader } from "./account-header.ts";
import { type Client, createClient } from "./client.ts";

/** The default of --timeout, in milliseconds. */
export const defaultTimeout = 1000 * Number.parseInt(settings.timeout.byDefault, 10);

export interface ClientOptions {
  /** Milliseconds for one request. */
  readonly timeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Reads the service's document where nothing else names the account header. */
  readonly readsDocument?: boolean;
}

export interface ClientDeps
  extends Pick<Context, "network">,
    Pick<Reporter, "debug" | "warn" | "withSpinner"> {
  readonly system: Pick<System, "clock" | "env" | "random" | "signal">;
}

export interface ConnectDeps extends Omit<ClientDeps, "system">, Pick<Context, "files" | "system"> {
  readonly workspace: Pick<Workspace, "contract" | "journal" | "target">;
}

/** A client, and where the journal is kept. */
export interface Connection {
  readonly client: Client;
  readonly journal: JournalSettings;
}

/** Resolves all settings and fetches the key. Throws a `Failure`. */
export async function connect(context: ConnectDeps, options: ClientOptions): Promise<Connection> {
  const target = await context.workspace.target();
  const journal = await context.workspace.journal();
  const settings = await withHeaderAtHand(context, await withKey(context, target));
  const named = options.readsDocument ? await withDocumentHeader(context, settings) : settings;
  const learn = (transport: Transport) =>
    options.readsDocument ? transport : withLearnedHeader(context, named, transport);
  return { ...connectTo(context, named, options, journal.secrets, learn), journal };
}

/** Fetches the key. Throws a `Failure` "credentials". */
export async function withKey(
  context: Parameters<typeof readKey>[0],
  { key, ...target }: ServiceTarget,
): Promise<ServiceSettings> {
  return { ...target, apiKey: await readKey(context, key) };
}

/** A client for settings that are known already. `secrets` are hidden from its answers, beside the key. */
export function connectTo(
  context: ClientDeps,
  settings: ServiceSettings,
  options: ClientOptions,
  secrets: readonly string[] = [],
  wrap = (transport: Transport) => transport,
): Omit<Connection, "journal"> {
  const { timeout = defaultTimeout, maxRetries = defaultMaxRetries } = options;
  const { clock, env, random, signal } = context.system;
  const { origin, value } = rateSetting(env);
  const rate = parseRate(value, origin);
  const transport = createTransport(context, {
    secrets: [settings.apiKey.value, ...secrets],
    limit: (each) => withRateLimit(each, { clock, random, rate, reporter: context }),
    maxRetries,
  });
  return { client: createClient(settings, wrap(transport), { deadline: timeout, signal }) };
}
