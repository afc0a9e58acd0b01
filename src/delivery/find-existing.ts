// Whether what stands under an id is the incident that is wanted: only then may it be taken for it.
import type { Client } from "../api/client.ts";
import { Failure } from "../failure.ts";
import { compareIncident, describeDifferences } from "../incident/plan.ts";
import type { Incident } from "../incident/wire.ts";
import type { Wanted } from "./delivery-options.ts";

/** The wanted incident; undefined where nothing has its id. Throws a `Failure` "rejected" for another one. */
export async function findSame(
  client: Pick<Client, "findIncident">,
  { content, key }: Wanted,
): Promise<Incident | undefined> {
  const incident = await client.findIncident(key.id);
  if (incident === undefined) return undefined;
  const differences = compareIncident(content.body, incident);
  if (differences.length === 0) return incident;
  const what = `incident ${incident.id} exists and differs: ${describeDifferences(differences)}`;
  throw new Failure("rejected", what, {
    hint: "correct the definition, or give it another id or --key if it is another incident",
  });
}
