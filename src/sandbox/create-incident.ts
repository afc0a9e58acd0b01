// Creates an incident from a valid create body, and fills in the fields that spec 2 requires of a response.
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

/** A create body that is valid against the schema CreateIncident. */
export interface CreateBody extends Pick<Incident, "name" | "severity"> {
  readonly services: readonly (Pick<Service, "name" | "id" | "accountId"> & Partial<Service>)[];
  readonly incidentUpdates: readonly (Pick<Update, "description"> & Partial<Update>)[];
  readonly id?: string;
  readonly duration?: number;
  readonly created_at?: string;
  readonly updated_at?: string;
}

interface Circumstances {
  readonly now: number;
  readonly random: Pick<Random, "guid">;
}

/** See `firstStatus` in assumptions.ts. */
const firstStatus = "INVESTIGATING";

function createUpdates(
  updates: CreateBody["incidentUpdates"],
  { now, random }: Circumstances,
  statusBefore = firstStatus,
) {
  const instant = new Date(now).toISOString();
  let status = statusBefore;
  return updates.map((update): Update => {
    status = update.status ?? status;
    return {
      publicIncidentUpdateDate: instant,
      notifySubscribers: false,
      id: random.guid(),
      created_at: instant.slice(0, 10),
      ...update,
      status,
    };
  });
}

const timeOf = (update: Update) => Date.parse(update.publicIncidentUpdateDate);

/** See `lastStatus` in assumptions.ts. */
function lastStatusOf(updates: readonly Update[]): string {
  const inOrder = updates.toSorted((one, other) => timeOf(one) - timeOf(other));
  return inOrder.at(-1)?.status ?? firstStatus;
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** See `duration` in life/assumptions.ts. */
function durationOf(updates: readonly Update[]): number | null {
  if (lastStatusOf(updates) !== "RESOLVED") return null;
  const times = updates.map(timeOf);
  return Math.round((Math.max(...times) - Math.min(...times)) / 1000);
}

/** The incident with one more update at the end of its history. */
export function addUpdate(
  incident: Incident,
  update: CreateBody["incidentUpdates"][number],
  circumstances: Circumstances,
): Incident {
  const added = createUpdates([update], circumstances, incident.lastUpdateStatus);
  const incidentUpdates = [...incident.incidentUpdates, ...added];
  return {
    ...incident,
    incidentUpdates,
    lastUpdateStatus: lastStatusOf(incidentUpdates),
    duration: durationOf(incidentUpdates),
    updated_at: dayOf(circumstances.now),
  };
}

/** Whether the last update repeats the one before it. */
export function isRepeated({ incidentUpdates }: Incident): boolean {
  const [before, last] = [incidentUpdates.at(-2), incidentUpdates.at(-1)];
  return before?.status === last?.status && before?.description === last?.description;
}

export function createIncident(
  body: CreateBody,
  { id, ...circumstances }: Circumstances & { readonly id: string },
): Incident {
  const today = dayOf(circumstances.now);
  const incidentUpdates = createUpdates(body.incidentUpdates, circumstances);
  return {
    duration: null,
    created_at: today,
    updated_at: today,
    ...body,
    id,
    services: body.services.map((service) => ({ created_at: today, ...service })),
    incidentUpdates,
    lastUpdateStatus: lastStatusOf(incidentUpdates),
  };
}
