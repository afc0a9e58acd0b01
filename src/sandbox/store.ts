// The sandbox's memory: the incidents it keeps, and how often one was declared again, which is what a drill
// wants to know.
import type { Incident } from "./create-incident.ts";

/** One change of what is kept. */
export interface Kept {
  readonly incident: Incident;
  /** The id that the client sent, whether or not it became the incident's. */
  readonly clientId?: string | undefined;
  /** It stands in the place of the one with its id. */
  readonly replaces?: boolean;
}

export interface Store {
  /** The newest incident with this id; letter case does not matter. */
  find(id: string): Incident | undefined;
  /** Keeps an incident. `clientId` is the id that the client sent, whether or not it became the incident's. */
  add(incident: Incident, clientId: string | undefined): void;
  /** Puts an incident in the place of the one with its id; nothing is declared twice by that. */
  replace(incident: Incident): void;
  /** Takes up what an earlier sandbox kept. It is known from now on, and counts as nothing. */
  restore(kept: Kept): void;
  /** Every incident that is kept, in the order in which their ids came. */
  incidents(): Incident[];
  /**
   * `created`: incidents added. `duplicates`: those among them with the name and first update's text, or the
   * client id, of an earlier one.
   */
  counts(): { readonly created: number; readonly duplicates: number };
}

/** More than any rehearsal needs. Beyond it the oldest are forgotten, so that memory stays bounded. */
const capacity = 100_000;

export function createStore(): Store {
  const byId = new Map<string, Incident[]>();
  const declared = new Set<string>();
  let created = 0;
  let duplicates = 0;

  /** Remembers a mark and tells whether it was known. */
  function isKnown(mark: string): boolean {
    if (declared.has(mark)) return true;
    declared.add(mark);
    forgetOldest(declared);
    return false;
  }

  /** Whether it was declared before, and remembers that it was. */
  function isDeclared(incident: Incident, clientId: string | undefined): boolean {
    const content = isKnown(JSON.stringify([incident.name, incident.incidentUpdates[0]?.description]));
    const id = clientId !== undefined && isKnown(clientId.toLowerCase());
    return content || id;
  }

  function put(incident: Incident): void {
    const key = incident.id.toLowerCase();
    const same = byId.get(key);
    if (same) same.push(incident);
    else byId.set(key, [incident]);
    forgetOldest(byId);
  }

  function replace(incident: Incident): void {
    byId.set(incident.id.toLowerCase(), [incident]);
  }

  return {
    find: (id) => byId.get(id.toLowerCase())?.at(-1),
    add(incident, clientId) {
      created += 1;
      if (isDeclared(incident, clientId)) duplicates += 1;
      put(incident);
    },
    replace,
    restore({ incident, clientId, replaces }) {
      if (replaces) return replace(incident);
      isDeclared(incident, clientId);
      put(incident);
    },
    incidents: () => [...byId.values()].flat(),
    counts: () => ({ created, duplicates }),
  };
}

/** Both kinds of collection keep the order in which their keys came. */
function forgetOldest(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size <= capacity) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}
