// The body of a create (spec 4.2).

import { inOrder } from "../rules/in-order.ts";
import { withSeconds } from "../text/date-times.ts";
import { isMapping } from "../untrusted-data.ts";
import { type Definition, definitionRules, type Update } from "./definition.ts";

/** An update in a request. `notifySubscribers` is always present, never left to a default. */
export type SentUpdate = Update & { readonly notifySubscribers: boolean };

/** The JSON body of a create, its fields in the order of spec 4.2. */
export type CreateBody = Omit<Definition, "incidentUpdates"> & { readonly incidentUpdates: SentUpdate[] };

/**
 * The body that declares `definition` under the strictest reading of spec 2.2 and 2.3: each service has an `accountId`,
 * `account` where the definition has none, and each date-time has seconds. `id` replaces the id of the definition;
 * `undefined` sends none. Every other field that the definition has is sent, in the order of the rules. An invalid value
 * stays as it is, for the check against a contract.
 */
export function createBody(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
): CreateBody {
  const services = mapEntries(definition.services, (service) => ({
    ...service,
    accountId: service.accountId ?? account,
  }));
  const incidentUpdates = mapEntries(definition.incidentUpdates, (update) => {
    const { notifySubscribers = false, publicIncidentUpdateDate: date } = update;
    const seconds = typeof date === "string" ? withSeconds(date) : date;
    return { ...update, notifySubscribers, publicIncidentUpdateDate: seconds };
  });
  return inOrder(definitionRules, { ...definition, id, services, incidentUpdates });
}

/** Leaves an entry alone that is no mapping, and a list that is none. */
function mapEntries<T extends U, U>(list: T[], change: (entry: T) => U): U[] {
  return Array.isArray(list) ? list.map((entry) => (isMapping(entry) ? change(entry) : entry)) : list;
}
