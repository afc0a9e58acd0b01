// Whether a key opens the service: tried with a read that changes nothing and finds nothing.
import { Failure } from "../failure.ts";
import type { Client } from "./client.ts";

/** No incident has it: it is the GUID that stands for none. */
const noIncident = "00000000-0000-0000-0000-000000000000";

/**
 * Resolves when the service knows the key: it answers 404 in its own error body (spec 4.1, 7), or even finds an
 * incident. Throws the `Failure` that says what is wrong: the key, the account, the base URL, the way there.
 */
export async function checkAccess(client: Client): Promise<void> {
  try {
    await client.getIncident(noIncident);
  } catch (error) {
    if (error instanceof Failure && error.kind === "missing") return;
    throw error;
  }
}
