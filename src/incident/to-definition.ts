// An incident that the service gave, as a person would have written it: what a create takes, without what the
// service fills in by itself. Whether it is a sound definition is for the checker to say.
import type { Incident } from "./wire.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a definition. The id stays: it is what keeps the incident from being declared a second time. */
export function asWritten({ id, name, severity, services, incidentUpdates }: Incident): Fields {
  return present({
    id,
    name,
    severity,
    services: entriesOf(services).map((entry) => {
      const service = fieldsOf(entry);
      return present({ name: service.name, id: service.id, accountId: service.accountId });
    }),
    incidentUpdates: entriesOf(incidentUpdates).map((entry) => {
      const update = fieldsOf(entry);
      const { status, description, notifySubscribers } = update;
      return present({
        status,
        description,
        notifySubscribers,
        publicIncidentUpdateDate: chosenDate(update),
      });
    }),
  });
}

/**
 * Assumption: the service dates an update by itself on the day that it is created (spec 2.3: its default is a
 * timestamp). A date of another day was written by a person, and tells the history.
 */
function chosenDate({ publicIncidentUpdateDate: date, created_at: created }: Fields): unknown {
  return typeof date === "string" && typeof created === "string" && date.slice(0, 10) !== created.slice(0, 10)
    ? date
    : undefined;
}

/** Null is how the service says that there is none. */
function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
