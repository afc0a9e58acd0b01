// Reads an incident by its id at the service, or by the one that was sent from here, which the service may have replaced.
import type { Client } from "../../api/client.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";

/** The journal is read for an id that the service does not have. Throws a `Failure`. */
export async function readIncident(context: RunContext, client: Client, id: string): Promise<Incident> {
  try {
    return await client.getIncident(id);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "missing") throw error;
    const { readOwnId } = await import("./journal.ts");
    const own = await readOwnId(context, id);
    if (own.toLowerCase() === id.toLowerCase()) throw error;
    return client.getIncident(own);
  }
}
