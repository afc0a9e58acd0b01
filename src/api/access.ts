// Checks whether the service accepts a key, with a read that finds nothing, and that it refuses a wrong one.
import { Failure } from "../failure.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import type { Client } from "./client.ts";
import { type ClientDeps, type ClientOptions, connectTo } from "./connect.ts";

/** The nil GUID, which no incident has. */
const nilId = "00000000-0000-0000-0000-000000000000";

/**
 * Resolves when the service accepts the key and refuses a made-up one. A key is accepted if the service answers 404
 * in its own error body (spec 4.1, 7) or returns an incident. Some services answer an unknown path with that 404
 * before they look at the key, so only the 401 for the made-up key (spec 5.4) proves that the key was looked at.
 * Otherwise throws the `Failure` that names the fault: the key, the account, the base URL or the network.
 */
export async function checkAccess(
  context: ClientDeps,
  settings: ServiceSettings,
  options: ClientOptions,
): Promise<void> {
  await readNothing(connectTo(context, settings, options).client);
  // A key that no service accepts.
  const apiKey = { value: `made-up-${context.system.random.guid()}`, origin: "a made-up key" };
  try {
    await readNothing(connectTo(context, { ...settings, apiKey }, options).client);
  } catch (error) {
    if (error instanceof Failure && error.details.response?.status === 401) return;
    throw error;
  }
  const { baseUrl } = settings;
  throw new Failure("usage", `${baseUrl.value} answers a made-up key in the same way as yours`, {
    hint: `check the base URL from ${baseUrl.origin}: the key is not checked at this URL, so its path or host may be wrong`,
  });
}

/** A read that finds nothing: it shows whether the key is accepted. Throws the `Failure` of a key that is not accepted. */
export async function readNothing(client: Client): Promise<void> {
  try {
    await client.getIncident(nilId);
  } catch (error) {
    if (error instanceof Failure && error.kind === "missing") return;
    throw error;
  }
}
