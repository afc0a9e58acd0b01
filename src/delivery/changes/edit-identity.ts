// Names an edit, so that every run knows it again: by its incident, its values, and the number of equal ones before it.
import type { Service } from "../../incident/definition.ts";
import { normalId } from "../../incident/normal-form.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { OperationKey } from "../../journal/events.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { idForText } from "../incident-id.ts";

/** The fields that an edit can change, with their new values. Of services, a journal keeps the ids alone. */
export interface EditedFields {
  readonly name?: string;
  readonly severity?: string;
  readonly services?: readonly (Partial<Service> & { readonly id: string })[];
}

export const editableFields = ["name", "severity", "services"] as const satisfies (keyof EditedFields)[];

/** The values as texts, by which an edit is known again. */
export function textsOf({ services, ...texts }: EditedFields): Readonly<Record<string, string>> {
  return { ...texts, ...(services && { services: idsOf(services.map(({ id }) => id)) }) };
}

/** The values that an incident has for the fields of an edit. */
export function liveTextsOf(incident: Incident, fields: EditedFields): Readonly<Record<string, string>> {
  const { name, services, severity } = incidentFacts(incident);
  // A service that is shown without an id is known by its name.
  const idOf = (shown: string) => fields.services?.find((each) => each.name === shown)?.id ?? shown;
  return {
    ...(name !== undefined && { name }),
    ...(severity !== undefined && { severity }),
    services: idsOf(services.map(({ id, name: shown = "" }) => id ?? idOf(shown))),
  };
}

function idsOf(ids: readonly string[]): string {
  return [...new Set(ids.map(normalId))].sort().join(", ");
}

export function editKey(
  { service }: DeliveryOptions,
  id: string,
  fields: EditedFields,
  occurrence: number,
): OperationKey {
  const name = JSON.stringify(["edit", id.toLowerCase(), valuesOf(fields), occurrence]);
  return { ...service, id: idForText(service, name) };
}

export function valuesOf(fields: EditedFields): readonly (readonly [string, string])[] {
  return Object.entries(textsOf(fields)).sort(([one], [other]) => one.localeCompare(other));
}
