// Converts an incident from the service to a definition: the fields that a create takes, without those that the
// service fills in. Does not check the result.
import { entriesOf, type Fields, isMapping } from "../own-value.ts";
import type { Incident } from "./wire.ts";

/** The fields of a definition. Keeps the id, so that the incident is not declared a second time. */
export function toDefinition({ id, name, severity, services, incidentUpdates }: Incident): Fields {
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
        publicIncidentUpdateDate: explicitDate(update),
      });
    }),
  });
}

/**
 * Assumption: the service sets the date of an update to the time of its creation (spec 2.3: the default is a
 * timestamp). So a person wrote a date of another day, and it is part of the history.
 */
function explicitDate({ publicIncidentUpdateDate: date, created_at: created }: Fields): unknown {
  return typeof date === "string" && typeof created === "string" && date.slice(0, 10) !== created.slice(0, 10)
    ? date
    : undefined;
}

function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function fieldsOf(value: unknown): Fields {
  return isMapping(value) ? value : {};
}
