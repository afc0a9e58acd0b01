// The content of a create: the body that is sent, and the digest that recognizes the same content in a journal.

import { type CreateBody, createBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { normalBody, normalId, normalText } from "../incident/normal-form.ts";
import type { TimelineUpdate } from "../incident/updates.ts";
import { jsonDigest } from "../text/json-digest.ts";
import type { Content, OperationLog, Parts } from "./events.ts";

/**
 * The create of a definition with its first update, with its first two, and so on: what follows the updates of a create
 * is posted after it, where the service takes updates. The digest is of the meaning, so that another notation of the same
 * incident is the same create. `account` is the account of the settings; only services of another one count. With
 * `isStartRelative`, the date of the first update depends on when the command runs, so that it is not part of the digest:
 * a rerun is the same create.
 */
export function contentsOf(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
  isStartRelative = false,
): readonly Content[] {
  const whole = createBody(definition, id, account);
  const otherAccounts = whole.services.flatMap(({ accountId, id }) =>
    accountId && accountId.toLowerCase() !== account?.toLowerCase() ? [normalId(id + accountId)] : [],
  );
  return whole.incidentUpdates.map((_, at) => {
    const sent = whole.incidentUpdates.slice(0, at + 1);
    const incidentUpdates = (isStartRelative ? withoutStart(sent) : sent).map(withoutNotification);
    const meaning = normalBody({ ...whole, incidentUpdates });
    const digest = jsonDigest([meaning, otherAccounts.sort()]).slice(0, 32);
    const body = { ...whole, incidentUpdates: sent };
    return { body, digest, parts: partsOf(body) };
  });
}

/** Digests, by which a later run tells what its file has changed. */
export function partsOf({ incidentUpdates, name, services, severity }: CreateBody): Parts {
  return {
    name: shortDigest(normalText(name)),
    severity: shortDigest(severity),
    services: shortDigest([...new Set(services.map(({ id }) => normalId(id)))].sort()),
    updates: incidentUpdates.map(textDigest),
  };
}

/** Of an update that a create has. */
export function textDigest({ description = "", status }: TimelineUpdate): string {
  return shortDigest([status ?? null, normalText(description)]);
}

/** A journal has several of each of its creates, for ever. */
function shortDigest(value: unknown): string {
  return jsonDigest(value).slice(0, 16);
}

/** How many of the updates the create of a log has; 0 where it is another create, or not known. */
export function updatesSentBy({ digest }: OperationLog, contents: readonly Content[]): number {
  return contents.findIndex((each) => each.digest === digest) + 1;
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
