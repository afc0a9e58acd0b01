// Checks whether the service accepts a key, with a read that finds nothing.
import { Failure } from "../failure.ts";
import type { Client } from "./client.ts";

/** The nil GUID, which no incident has. */
const nilId = "00000000-0000-0000-0000-000000000000";

/**
 * Resolves when the service accepts the key: it answers 404 in its own error body (spec 4.1, 7) or returns an
 * incident. Otherwise throws the `Failure` that names the fault: the key, the account, the base URL or the network.
 */
export async function checkAccess(client: Client): Promise<void> {
  try {
    await client.getIncident(nilId);
  } catch (error) {
    if (error instanceof Failure && error.kind === "missing") return;
    throw error;
  }
}
