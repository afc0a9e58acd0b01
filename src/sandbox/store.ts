// The service's incidents in memory, and the number of duplicate declarations, which a rehearsal reports.
import type { Incident } from "./create-incident.ts";

interface Version {
  readonly incident: Incident;
  /** The id that the client sent, whether or not it became the incident's id. */
  readonly clientId?: string | undefined;
  /** Whether it replaces the incident with the same id. This never counts as a duplicate. */
  readonly replaces?: boolean | undefined;
  /** The time of the request. */
  readonly at?: number;
}

export function createStore() {
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

  /** Whether an earlier incident has the client id, or the name and the first update's text and is not over. */
  function isDuplicate({ incident, clientId }: Version): boolean {
    const content = JSON.stringify([incident.name, incident.incidentUpdates[0]?.description]);
    const earlier = declared.get(content);
    const hasSeenId = clientId !== undefined && declared.has(clientId.toLowerCase());
    declared.set(content, incident.id);
    if (clientId !== undefined) declared.set(clientId.toLowerCase(), incident.id);
    return hasSeenId || (earlier !== undefined && !isOver(earlier));
  }

  function put(version: Version): void {
    if (!version.replaces) {
      created += 1;
      if (isDuplicate(version)) duplicates += 1;
    }
    const { id } = version.incident;
    byId.set(id.toLowerCase(), [...versionsOf(id), version]);
  }

  return {
    put,
    /** The newest incident with this id, regardless of letter case. */
    find: (id: string) => versionsOf(id).at(-1)?.incident,
    /** The incident as a replica with the state of the time `at` has it. */
    findAt: (id: string, at: number) =>
      versionsOf(id).findLast((version) => (version.at ?? at) <= at)?.incident,
    /** All incidents, or those that a replica with the state of the time `at` has; the oldest first. */
    incidents: (at = Number.POSITIVE_INFINITY): Incident[] =>
      [...byId.values()].flatMap((all) => {
        const versions = all.filter((version) => (version.at ?? at) <= at);
        const replacement = versions.findLastIndex(({ replaces }) => replaces);
        return versions.slice(Math.max(0, replacement)).map(({ incident }) => incident);
      }),
    counts: () => ({ created, duplicates }),
  };
}
