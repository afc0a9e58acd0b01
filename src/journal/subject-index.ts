// Finds the creates that were declared from here by the name and the services of their incidents, without a look at the
// whole journal. It only serves a warning: a lost entry does no harm, and a torn one counts as absent.
import type { CreateBody } from "../incident/create-body.ts";
import { jsonDigest } from "../text/json-digest.ts";
import { entriesOf, fieldOf, parseJson } from "../untrusted-data.ts";
import type { Notes } from "./client-ids.ts";
import type { ServiceKey } from "./events.ts";

export interface DeclaredIncident {
  /** The service's own id. */
  readonly id: string;
  /** An ISO date-time, UTC. */
  readonly at: string;
}

export interface SubjectIndex {
  /** The latest incidents with this name and these services, oldest first. Throws a `Failure` where they cannot be read. */
  find(service: ServiceKey, body: CreateBody): readonly DeclaredIncident[];
  /** Remembers one. Throws a `Failure` where it cannot be written. */
  add(service: ServiceKey, body: CreateBody, declared: DeclaredIncident): void;
}

/** The most incidents with the same name and services that are remembered. */
const maxIncidents = 3;

export function createSubjectIndex(notes: Notes): SubjectIndex {
  const nameOf = ({ account, baseUrl }: ServiceKey, { name, services }: CreateBody) => {
    const ids = services.map(({ id }) => id.toLowerCase()).sort();
    return `${jsonDigest([baseUrl, account, name, ids]).slice(0, 40)}.json`;
  };
  const find = (service: ServiceKey, body: CreateBody) =>
    entriesOf(parseJson(notes.read(nameOf(service, body)) ?? "")).filter(isDeclared);
  return {
    find,
    add(service, body, declared) {
      const entries = [...find(service, body).filter(({ id }) => id !== declared.id), declared];
      notes.replace(nameOf(service, body), JSON.stringify(entries.slice(-maxIncidents)));
    },
  };
}

function isDeclared(entry: unknown): entry is DeclaredIncident {
  return typeof fieldOf(entry, "id") === "string" && typeof fieldOf(entry, "at") === "string";
}
