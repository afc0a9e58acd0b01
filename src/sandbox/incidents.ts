// The incidents of the service: how one begins and changes (spec 2.5), and all of them in memory with their past.
import type { Random } from "../platform/context.ts";

interface Service {
  readonly name: string;
  readonly id: string;
  readonly accountId: string;
  readonly created_at: string;
  readonly updated_at?: string | null;
}

interface Update {
  readonly description: string;
  readonly status: string;
  readonly publicIncidentUpdateDate: string;
  readonly notifySubscribers: boolean;
  readonly id: string;
  readonly created_at: string;
}

/** An incident as the service stores and returns it (spec 2.1). */
export interface Incident {
  readonly id: string;
  readonly name: string;
  readonly severity: string;
  readonly services: readonly Service[];
  readonly incidentUpdates: readonly Update[];
  readonly lastUpdateStatus: string;
  readonly duration: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

type Sent<T, Required extends keyof T> = Pick<T, Required> & Partial<T>;

export interface EditBody extends Pick<Incident, "name" | "severity"> {
  readonly services: readonly Sent<Service, "name" | "id" | "accountId">[];
  readonly id?: string;
}

export type UpdateBody = Sent<Update, "description">;

export type CreateBody = EditBody & { readonly incidentUpdates: readonly UpdateBody[] };

interface Circumstances {
  readonly now: number;
  readonly random: Pick<Random, "guid">;
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const timeOf = (update: Update) => Date.parse(update.publicIncidentUpdateDate);

function lastStatusOf(updates: readonly Update[]): string {
  const inOrder = updates.toSorted((one, other) => timeOf(one) - timeOf(other));
  return inOrder.at(-1)?.status ?? "INVESTIGATING";
}

function createUpdate(body: UpdateBody, statusBefore: string, { now, random }: Circumstances): Update {
  return {
    publicIncidentUpdateDate: new Date(now).toISOString(),
    notifySubscribers: false,
    id: random.guid(),
    created_at: dayOf(now),
    status: statusBefore,
    ...body,
  };
}

export function createIncident(
  { id: _, ...body }: CreateBody,
  { id, ...circumstances }: Circumstances & { readonly id: string },
): Incident {
  const today = dayOf(circumstances.now);
  const incidentUpdates: Update[] = [];
  for (const update of body.incidentUpdates) {
    const status = incidentUpdates.at(-1)?.status ?? "INVESTIGATING";
    incidentUpdates.push(createUpdate(update, status, circumstances));
  }
  const incident = { duration: null, created_at: today, updated_at: today, id, ...body };
  const services = filledIn(body.services, today);
  return { ...incident, services, incidentUpdates, lastUpdateStatus: lastStatusOf(incidentUpdates) };
}

const filledIn = (services: EditBody["services"], today: string) =>
  services.map((service) => ({ created_at: today, ...service }));

export function editIncident(incident: Incident, { id: _, ...body }: EditBody, now: number): Incident {
  const today = dayOf(now);
  return { ...incident, updated_at: today, ...body, services: filledIn(body.services, today) };
}

export function addUpdate(incident: Incident, body: UpdateBody, circumstances: Circumstances): Incident {
  const added = createUpdate(body, incident.lastUpdateStatus, circumstances);
  const incidentUpdates = [...incident.incidentUpdates, added];
  const lastUpdateStatus = lastStatusOf(incidentUpdates);
  const times = incidentUpdates.map(timeOf);
  const seconds = Math.round((Math.max(...times) - Math.min(...times)) / 1000);
  return {
    ...incident,
    incidentUpdates,
    lastUpdateStatus,
    duration: lastUpdateStatus === "RESOLVED" ? seconds : null,
    updated_at: dayOf(circumstances.now),
  };
}

/** Whether the last update repeats the one before it. */
export function isRepeated({ incidentUpdates }: Incident): boolean {
  const [before, last] = [incidentUpdates.at(-2), incidentUpdates.at(-1)];
  return before?.status === last?.status && before?.description === last?.description;
}

/** The versions of one incident, the oldest first. `at` is the time of the request in milliseconds. */
type Past = { readonly incident: Incident; readonly at: number }[];

const versionAt = (past: Past, time: number) => past.findLast(({ at }) => at <= time)?.incident;

/** Whether it was resolved after its declaration: a later incident with the same words is another one. */
function isOver(past: Past): boolean {
  const [first, last] = [past.at(0), past.at(-1)];
  return last?.incident.lastUpdateStatus === "RESOLVED" && first?.incident.lastUpdateStatus !== "RESOLVED";
}

export function createStore() {
  /** In the order of the creates. */
  const all: Past[] = [];
  /** Several incidents have one id where the service creates one again. */
  const byId = new Map<string, Past[]>();
  /** The last incident of each name and first text. */
  const byWords = new Map<string, Past>();
  let duplicates = 0;
  const withId = (id: string) => byId.get(id.toLowerCase()) ?? [];

  return {
    add(incident: Incident, at: number): void {
      const past = [{ incident, at }];
      const words = JSON.stringify([incident.name, incident.incidentUpdates[0]?.description]);
      const earlier = byWords.get(words);
      if (earlier !== undefined && !isOver(earlier)) duplicates += 1;
      all.push(past);
      byId.set(incident.id.toLowerCase(), [...withId(incident.id), past]);
      byWords.set(words, past);
    },
    /** The newest incident with this id, in its next version. */
    replace: (incident: Incident, at: number) => void withId(incident.id).at(-1)?.push({ incident, at }),
    /** The newest incident with this id, regardless of letter case, as a replica with the state of `time` has it. */
    find(id: string, time = Number.POSITIVE_INFINITY): Incident | undefined {
      const found = withId(id).flatMap((past) => versionAt(past, time) ?? []);
      return found.at(-1);
    },
    /** All that a replica with the state of `time` has, the oldest first. */
    incidents: (time = Number.POSITIVE_INFINITY): Incident[] =>
      all.flatMap((past) => versionAt(past, time) ?? []),
    counts: () => ({ created: all.length, duplicates }),
  };
}
