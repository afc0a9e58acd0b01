// Finds open incidents that were declared from here with the name and the services of a create: a person who edits a
// file without an id and declares it again gets a second incident.
import type { Client } from "../../api/client.ts";
import { Failure } from "../../failure.ts";
import { incidentFacts, isResolved } from "../../incident/wire.ts";
import type { DeclaredIncident, SubjectIndex } from "../../journal/subject-index.ts";
import { toSeconds } from "../../text/date-times.ts";
import type { DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";

export interface SimilarIncident extends DeclaredIncident {
  readonly name: string;
  /** The status of the incident. Undefined where the service could not be asked, or gave none. */
  readonly status: string | undefined;
}

/** Milliseconds for the read of one incident. */
const budget = 5000;

export interface SimilarDeps extends Pick<DeliveryOptions, "journal" | "reporter" | "service"> {
  readonly subjects: SubjectIndex;
  /** Undefined for a preview, which asks the service nothing. */
  readonly client?: Client;
}

/** Looks only for creates that this journal does not know yet. A preview may have no key. */
export async function findSimilar(
  options: SimilarDeps,
  requests: readonly (Pick<DeliveryRequest, "content"> & Partial<Pick<DeliveryRequest, "key">>)[],
): Promise<readonly SimilarIncident[]> {
  const { journal, reporter, service, subjects } = options;
  const found = new Map<string, SimilarIncident>();
  try {
    for (const { content, key } of requests) {
      const declared = subjects.find(service, content.body).filter(({ id }) => !found.has(id));
      if (declared.length === 0 || (key && (await journal.read(key)).state !== "new")) continue;
      for (const each of declared) {
        const similar = await readOpen(options, each, content.body.name);
        if (similar !== undefined) found.set(similar.id, similar);
      }
    }
    if ([...found.values()].some(({ status }) => status === undefined)) {
      const { knownResolved } = await import("./known-status.ts");
      for (const id of await knownResolved(options))
        if (found.get(id)?.status === undefined) found.delete(id);
    }
  } catch (error) {
    // A missing warning must not stop a create.
    if (!(error instanceof Failure)) throw error;
    reporter.warn(error.message);
  }
  return [...found.values()];
}

/** Undefined where the incident is resolved or gone. */
async function readOpen(
  { client }: SimilarDeps,
  declared: DeclaredIncident,
  name: string,
): Promise<SimilarIncident | undefined> {
  if (client === undefined) return { ...declared, name, status: undefined };
  try {
    const incident = await client.findIncident(declared.id, { budget });
    if (incident === undefined || isResolved(incident)) return undefined;
    return { ...declared, name, status: incidentFacts(incident).status };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...declared, name, status: undefined };
  }
}

export function describeSimilar({ at, id, name, status }: SimilarIncident): string {
  const state = status === undefined ? "may still be open" : `is still open (${status})`;
  return `"${name}" was declared from here at ${toSeconds(at)} as ${id} and ${state}; this declares another incident, and incident update ${id} changes that one`;
}
