// The service's incidents in memory, and the number of duplicate declarations, which a rehearsal reports.
import type { Incident } from "./create-incident.ts";

/** One change of the stored incidents, as storage.ts writes it to a file. */
export interface StoredIncident {
  readonly incident: Incident;
  /** The id that the client sent, whether or not it became the incident's id. */
  readonly clientId?: string | undefined;
  readonly replaces?: boolean;
}

export interface Store {
  /** Returns the newest incident with this id, regardless of letter case. */
  find(id: string): Incident | undefined;
  /** The incident as a replica with the state of the time `at` has it. */
  findAt(id: string, at: number): Incident | undefined;
  /** Adds an incident. `clientId` is the id that the client sent, whether or not it became the incident's id. */
  add(incident: Incident, clientId: string | undefined, visibleAt?: number): void;
  /** Replaces the incident with the same id. This never counts as a duplicate. */
  replace(incident: Incident, visibleAt?: number): void;
  /** Adds an incident of an earlier sandbox. Only later duplicates of it count. */
  restore(stored: StoredIncident): void;
  incidents(): Incident[];
  /**
   * `created`: incidents added. `duplicates`: added incidents with the name and first update's text, or the client id,
   * of an earlier one; the text of one that was resolved since does not count.
   */
  counts(): { readonly created: number; readonly duplicates: number };
}

export function createStore(): Store {
  /** The versions of each incident, the oldest first. A replacement hides the versions before it, except from old reads. */
  const byId = new Map<string, Version[]>();
  /** The last incident of each content and of each client id. */
  const declared = new Map<string, string>();
  let created = 0;
  let duplicates = 0;

  const versionsOf = (id: string) => byId.get(id.toLowerCase()) ?? [];

  /** Whether it was resolved after it was declared: a later incident with its content is another one. */
  function isOver(id: string): boolean {
    const [first, last] = [versionsOf(id).at(0), versionsOf(id).at(-1)];
    return last?.incident.lastUpdateStatus === "RESOLVED" && first?.incident.lastUpdateStatus !== "RESOLVED";
  }

  function isDuplicate(incident: Incident, clientId: string | undefined): boolean {
    const content = JSON.stringify([incident.name, incident.incidentUpdates[0]?.description]);
    const earlier = declared.get(content);
    const hasSeenId = clientId !== undefined && declared.has(clientId.toLowerCase());
    declared.set(content, incident.id);
    if (clientId !== undefined) declared.set(clientId.toLowerCase(), incident.id);
    return hasSeenId || (earlier !== undefined && !isOver(earlier));
  }

  function put(version: Version): void {
    const { id } = version.incident;
    byId.set(id.toLowerCase(), [...versionsOf(id), version]);
  }

  return {
    find: (id) => versionsOf(id).at(-1)?.incident,
    findAt: (id, at) => versionsOf(id).findLast(({ visibleAt = at }) => visibleAt <= at)?.incident,
    add(incident, clientId, visibleAt) {
      created += 1;
      if (isDuplicate(incident, clientId)) duplicates += 1;
      put({ incident, visibleAt });
    },
    replace: (incident, visibleAt) => put({ incident, visibleAt, replaces: true }),
    restore({ incident, clientId, replaces }) {
      if (!replaces) isDuplicate(incident, clientId);
      put({ incident, replaces });
    },
    incidents: () =>
      [...byId.values()].flatMap((versions) => {
        const replacement = versions.findLastIndex(({ replaces }) => replaces);
        return versions.slice(Math.max(0, replacement)).map(({ incident }) => incident);
      }),
    counts: () => ({ created, duplicates }),
  };
}

interface Version {
  readonly incident: Incident;
  /** The time from which reads see it; they always see an incident without one. */
  readonly visibleAt?: number | undefined;
  readonly replaces?: boolean | undefined;
}
