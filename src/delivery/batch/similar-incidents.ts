// Finds open incidents that were declared from here with the name and the services of a create: a person who edits a
// file without an id and declares it again gets a second incident.
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

/** Looks only for creates that this journal does not know yet. */
export async function findSimilar(
  options: DeliveryOptions & { readonly subjects: SubjectIndex },
  requests: readonly DeliveryRequest[],
): Promise<readonly SimilarIncident[]> {
  const { reporter, service, subjects } = options;
  const found = new Map<string, SimilarIncident>();
  try {
    for (const { content, key } of requests) {
      const declared = subjects.find(service, content.body).filter(({ id }) => !found.has(id));
      if (declared.length === 0 || (await options.journal.read(key)).state !== "new") continue;
      for (const each of declared) {
        const similar = await readOpen(options, each, content.body.name);
        if (similar !== undefined) found.set(similar.id, similar);
      }
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
  { client }: DeliveryOptions,
  declared: DeclaredIncident,
  name: string,
): Promise<SimilarIncident | undefined> {
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
