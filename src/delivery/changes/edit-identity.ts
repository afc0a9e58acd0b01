// Names an edit, so that every run knows it again: by its incident, its values, and the number of equal ones before it.
import { type OperationKey, wasConfirmedAs } from "../../journal/events.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { idForText } from "../incident-id.ts";

/** The fields that an edit can change, with their new values. */
export type EditedFields = Readonly<Partial<Record<"name" | "severity", string>>>;

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
  return Object.entries(fields).sort(([one], [other]) => one.localeCompare(other));
}

/** Whether an edit with these values was sent with this confirmation. */
export async function wasEditConfirmed(
  options: DeliveryOptions,
  id: string,
  fields: EditedFields,
  confirmed: string,
): Promise<boolean> {
  for (let occurrence = 0; ; occurrence += 1) {
    const log = await options.journal.read(editKey(options, id, fields, occurrence));
    if (wasConfirmedAs(log, confirmed)) return true;
    if (log.state !== "created") return false;
  }
}
