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
 * `undefined` sends none. Omits the other fields that the definition does not have, except `notifySubscribers`. An
 * invalid value stays as it is, for the check against a contract.
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
    const { publicIncidentUpdateDate: date } = update;
    return { ...update, publicIncidentUpdateDate: typeof date === "string" ? withSeconds(date) : date };
  });
  return bodyAsWritten({ ...definition, services, incidentUpdates }, id);
}

/**
 * The body of `definition` with the fields that it has, and `notifySubscribers`. Every field of the rules is sent, in
 * their order: a field that is accepted cannot be forgotten here.
 */
export function bodyAsWritten(definition: Definition, id: string | undefined): CreateBody {
  const incidentUpdates = mapEntries(definition.incidentUpdates, (update) => ({
    ...update,
    notifySubscribers: update.notifySubscribers ?? false,
  }));
  return inOrder(definitionRules, { ...definition, id, incidentUpdates });
}

/** Leaves an entry alone that is no mapping, and a list that is none. */
function mapEntries<T extends U, U>(list: T[], change: (entry: T) => U): U[] {
  return Array.isArray(list) ? list.map((entry) => (isMapping(entry) ? change(entry) : entry)) : list;
}
