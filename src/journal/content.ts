// The content of a create: the body that is sent, and the digest that recognizes the same content in a journal.

import { type CreateBody, createBody } from "../incident/create-body.ts";
import type { Definition } from "../incident/definition.ts";
import { normalBody, normalId, normalText } from "../incident/normal-form.ts";
import type { TimelineUpdate } from "../incident/updates.ts";
import type { Severity } from "../incident/values.ts";
import { jsonDigest } from "../text/json-digest.ts";
import type { Content, Parts } from "./events.ts";

export interface ContentOptions {
  /** The create carries all updates, where no other request takes those after the first. */
  readonly isWhole?: boolean;
  /** The date of the first update depends on when the command runs: a rerun is the same create. */
  readonly isStartRelative?: boolean | undefined;
}

/**
 * The create of a definition, with its first update alone or with all. The digest is of the meaning without the other updates, so
 * that another notation of the same incident, or a file that has grown, is the same create. `account` is the account of the
 * settings; only services of another one count.
 */
export function contentOf(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
  { isStartRelative = false, isWhole = false }: ContentOptions = {},
): Content {
  const whole = createBody(definition, id, account);
  const otherAccounts = whole.services.flatMap(({ accountId, id }) =>
    accountId && accountId.toLowerCase() !== account?.toLowerCase() ? [normalId(id + accountId)] : [],
  );
  const first = whole.incidentUpdates.slice(0, 1);
  const start = isStartRelative && { publicIncidentUpdateDate: "relative" };
  // A rerun that notifies is the same incident.
  const named = first.map(({ notifySubscribers: _, ...update }) => ({ ...update, ...start }));
  const meaning = normalBody({ ...whole, incidentUpdates: named });
  const body = isWhole ? whole : { ...whole, incidentUpdates: first };
  return { body, digest: jsonDigest([meaning, otherAccounts.sort()]).slice(0, 32), parts: partsOf(body) };
}

/** Digests, by which a later run tells which fields its file has changed. */
export function partsOf({ incidentUpdates, name, services, severity }: CreateBody): Parts {
  return {
    name: shortDigest(normalText(name)),
    severity: severityDigest(severity),
    services: shortDigest([...new Set(services.map(({ id }) => normalId(id)))].sort()),
    updates: incidentUpdates.map(textDigest),
  };
}

/** Of the severity that a create has. A shared journal keeps it in the place of the severity. */
export function severityDigest(severity: Severity): string {
  return shortDigest(severity);
}

/** Of an update that a create has. */
export function textDigest({ description = "", status }: TimelineUpdate): string {
  return shortDigest([status ?? null, normalText(description)]);
}

/** A journal has several of each of its creates, for ever. */
function shortDigest(value: unknown): string {
  return jsonDigest(value).slice(0, 16);
}
