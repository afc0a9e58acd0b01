// The content of a create: the body that is sent, and the digest that recognizes the same content in a journal.

import { type CreateBody, createBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { normalBody, normalId } from "../incident/normal-form.ts";
import type { Content } from "./events.ts";
import { hash } from "./journal.ts";

/**
 * The digest is of the meaning, so that another notation of the same incident is the same create. `account` is the
 * account of the settings; only services of another one count. With `isStartRelative`, the date of the first update
 * depends on when the command runs, so that it is not part of the digest: a rerun is the same create.
 */
export function contentOf(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
  isStartRelative = false,
): Content {
  const body = createBody(definition, id, account);
  const incidentUpdates = isStartRelative ? withoutStart(body.incidentUpdates) : body.incidentUpdates;
  const otherAccounts = body.services.flatMap(({ accountId, id }) =>
    accountId && accountId.toLowerCase() !== account?.toLowerCase() ? [normalId(id + accountId)] : [],
  );
  const meaning = normalBody({ ...body, incidentUpdates: incidentUpdates.map(withoutNotification) });
  return { body, digest: hash([meaning, otherAccounts.sort()]) };
}

/** A rerun that notifies is the same incident. */
function withoutNotification({ notifySubscribers: _, ...update }: Update): Update {
  return update;
}

function withoutStart(updates: CreateBody["incidentUpdates"]): CreateBody["incidentUpdates"] {
  return updates.map((update, index) =>
    index === 0 ? { ...update, publicIncidentUpdateDate: "relative" } : update,
  );
}
