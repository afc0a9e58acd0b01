// The service's incidents in memory, and the number of duplicate declarations, which a rehearsal reports.
import type { Incident } from "./create-incident.ts";

/** One change of the stored incidents, as storage.ts writes it to a file. */
export interface StoredIncident {
  readonly incident: Incident;
  /** The id that the client sent, whether or not it became the incident's id. */
  readonly clientId?: string | undefined;
  /** Whether the incident replaces the one with the same id. */
  readonly replaces?: boolean;
}

export interface Store {
  /** Returns the newest incident with this id, regardless of letter case. */
  find(id: string): Incident | undefined;
  /** Adds an incident. `clientId` is the id that the client sent, whether or not it became the incident's id. */
  add(incident: Incident, clientId: string | undefined): void;
  /** Replaces the incident with the same id. This never counts as a duplicate. */
  replace(incident: Incident): void;
  /** Adds an incident of an earlier sandbox. Only later duplicates of it count. */
  restore(stored: StoredIncident): void;
  /** All incidents in the order of their creation. */
  incidents(): Incident[];
  /**
   * `created`: incidents added. `duplicates`: added incidents with the name and first update's text, or the client id,
   * of an earlier one.
   */
  counts(): { readonly created: number; readonly duplicates: number };
}

/** The number of incidents after which the store drops the oldest, to bound memory. */
const capacity = 100_000;

export function createStore(): Store {
  const byId = new Map<string, Incident[]>();
  const declared = new Set<string>();
  let created = 0;
  let duplicates = 0;

  /** Adds a key to the declared ones. Returns whether it was there before. */
  function wasSeen(key: string): boolean {
    if (declared.has(key)) return true;
    declared.add(key);
    dropOldest(declared);
    return false;
  }

  /** Records a declaration. Returns whether it repeats an earlier one. */
  function isDuplicate(incident: Incident, clientId: string | undefined): boolean {
    const hasSeenContent = wasSeen(JSON.stringify([incident.name, incident.incidentUpdates[0]?.description]));
    const hasSeenId = clientId !== undefined && wasSeen(clientId.toLowerCase());
    return hasSeenContent || hasSeenId;
  }

  function put(incident: Incident): void {
    const key = incident.id.toLowerCase();
    const sameId = byId.get(key);
    if (sameId) sameId.push(incident);
    else byId.set(key, [incident]);
    dropOldest(byId);
  }

  function replace(incident: Incident): void {
    byId.set(incident.id.toLowerCase(), [incident]);
  }

  return {
    find: (id) => byId.get(id.toLowerCase())?.at(-1),
    add(incident, clientId) {
      created += 1;
      if (isDuplicate(incident, clientId)) duplicates += 1;
      put(incident);
    },
    replace,
    restore({ incident, clientId, replaces }) {
      if (replaces) return replace(incident);
      isDuplicate(incident, clientId);
      put(incident);
    },
    incidents: () => [...byId.values()].flat(),
    counts: () => ({ created, duplicates }),
  };
}

/** Maps and sets iterate in insertion order. */
function dropOldest(collection: Map<string, unknown> | Set<string>): void {
  if (collection.size <= capacity) return;
  for (const oldest of collection.keys()) {
    collection.delete(oldest);
    return;
  }
}
