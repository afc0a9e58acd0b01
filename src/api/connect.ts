// Builds a client from the settings, with the account header of the service's document where nothing else names one, and checks
// whether the service accepts the key. Opens the network only with the first request.
import { Failure, ignoreFailure } from "../failure.ts";
import { createTransport } from "../http/create-transport.ts";
import { defaultMaxRetries } from "../http/retry.ts";
import { readKey } from "../workspace/credentials.ts";
import type { ServiceSettings, ServiceTarget } from "../workspace/resolve.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createClient } from "./client.ts";
import { isUnnamed } from "./errors.ts";
import { type OperationsDeps, operationsAtHand, operationsOf } from "./known-operations.ts";

/** The default of --timeout, in milliseconds. */
export const defaultTimeout = 30_000;

interface ConnectDeps extends OperationsDeps {
  /** The flags of every command: milliseconds for one request. */
  readonly global: { readonly timeout?: number };
  readonly workspace: Pick<Workspace, "contract" | "target">;
}

/**
 * Resolves the settings of a service and fetches the key. `readsDocument`: reads the service's document where nothing else names
 * the account header. Throws a `Failure`.
 */
export async function connect(
  context: ConnectDeps,
  { maxRetries = defaultMaxRetries, readsDocument = false } = {},
) {
  const target = await context.workspace.target();
  const read = readsDocument ? operationsOf : operationsAtHand;
  const settings = await withHeader(context, await withKey(context, target), read);
  return clientFor(context, settings, maxRetries);
}

/** Fetches the key. Throws a `Failure` "credentials". */
export async function withKey(
  context: Parameters<typeof readKey>[0],
  { key, ...target }: ServiceTarget,
): Promise<ServiceSettings> {
  return { ...target, apiKey: await readKey(context, key) };
}

function clientFor(context: ConnectDeps, settings: ServiceSettings, maxRetries = defaultMaxRetries) {
  const { timeout = defaultTimeout } = context.global;
  const transport = createTransport(context, { secrets: [settings.apiKey.value], maxRetries });
  const { signal } = context.system;
  return createClient(settings, transport, { deadline: timeout, signal }, (unnamed) =>
    withHeader(context, unnamed),
  );
}

/** A document that cannot be read leaves the name as it is. */
export async function withHeader(
  context: OperationsDeps,
  settings: ServiceSettings,
  read: typeof operationsAtHand | typeof operationsOf = operationsOf,
): Promise<ServiceSettings> {
  if (!isUnnamed(settings)) return settings;
  const known = await read(context, settings).catch(ignoreFailure);
  const value = known instanceof Failure ? undefined : known?.accountHeader;
  return value ? { ...settings, accountHeader: { value, origin: "the service's document" } } : settings;
}

/** The nil GUID, which no incident has: a read that finds nothing shows whether the key is accepted. */
export const nilId = "00000000-0000-0000-0000-000000000000";

/**
 * Resolves when the service accepts the key and refuses a made-up one. A key is accepted if the service answers 404
 * in its own error body (spec 4.1, 7) or returns an incident. Some services answer an unknown path with that 404
 * before they look at the key, so only the 401 for the made-up key (spec 5.4) proves that the key was looked at.
 * Otherwise throws the `Failure` that names the fault: the key, the account, the base URL or the network.
 */
export async function checkAccess(context: ConnectDeps, settings: ServiceSettings): Promise<void> {
  await clientFor(context, settings).findIncident(nilId);
  const apiKey = { value: `made-up-${context.system.random.guid()}`, origin: "a made-up key" };
  try {
    await clientFor(context, { ...settings, apiKey }).findIncident(nilId);
  } catch (error) {
    if (error instanceof Failure && error.details.response?.status === 401) return;
    throw error;
  }
  const { baseUrl } = settings;
  throw new Failure("usage", `${baseUrl.value} answers a made-up key in the same way as yours`, {
    hint: `check the base URL from ${baseUrl.origin}: the key is not checked at this URL, so its path or host may be wrong`,
  });
}
