// The body of an added update: the fields that the service's own document names, and no other.

import { sentUpdate } from "../incident/create-body.ts";
import type { Update } from "../incident/definition.ts";
import { listOf } from "../text/lengths.ts";
import type { AddUpdate } from "./contract.ts";
import { propertiesOf } from "./json-schema.ts";

/** The fields that an update needs, even if the file of the contract does not name them. */
const alwaysSent = ["description", "status"];

/** `notifySubscribers` is present where the document names it, never left to a default. */
export function updateBody({ body }: AddUpdate, update: Update): Update {
  const named = propertiesOf(body);
  const entries = Object.entries(sentUpdate(update)).filter(
    ([name]) => named.has(name) || alwaysSent.includes(name),
  );
  return Object.fromEntries(entries) as Update;
}

/** A warning about the fields that are left out; undefined where no text of the person is lost. */
export function describeLeftOut(operation: AddUpdate, updates: readonly Update[]): string | undefined {
  const lost = updates.flatMap((update) => {
    const { id: _, notifySubscribers, ...others } = update;
    const written = { ...others, ...(notifySubscribers && { notifySubscribers }) };
    return Object.keys(written).filter((name) => !Object.hasOwn(updateBody(operation, update), name));
  });
  if (lost.length === 0) return undefined;
  const fields = listOf([...new Set(lost)]);
  const silence = lost.includes("notifySubscribers") ? ", and notifies nobody from here" : "";
  return `by its document, this service takes no ${fields} with an added update: it is posted without${silence}`;
}
