// The content of a create: the body that is sent, and the digest that recognizes the same content in a journal.

import { type CreateBody, createBody } from "../incident/create-body.ts";
import type { Definition } from "../incident/definition.ts";
import type { TimelineUpdate } from "../incident/updates.ts";
import { statuses } from "../incident/values.ts";
import { normalId, normalText } from "../incident/wire.ts";
import { jsonDigest, shortDigest } from "../text/json-digest.ts";
import type { Content, OperationLog, Parts } from "./events.ts";

/**
 * The create of a definition with its first update, or with all of them (`isWhole`) where no other request takes the rest.
 * The digest is of its name, severity, services and first text, so that another notation, or a file that has grown, is the same
 * create. `account` is the account of the settings.
 */
export function contentOf(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
  { isWhole = true } = {},
): Content {
  const whole = createBody(definition, id, account);
  const first = whole.incidentUpdates.slice(0, 1);
  const body = isWhole ? whole : { ...whole, incidentUpdates: first };
  const text = normalText(first[0]?.description ?? "");
  const meaning = [normalText(whole.name), whole.severity, servicesIn(whole), text];
  const digest = jsonDigest(meaning).slice(0, 32);
  return { body, digest, name: body.name, parts: partsOf(body) };
}

/** The services in one order, each with its account. */
function servicesIn({ services }: CreateBody): readonly string[] {
  return [...new Set(services.map(({ accountId = "", id }) => normalId(`${id} ${accountId}`)))].sort();
}

/**
 * Whether two creates of one id differ. The spec leaves the default status open: a first update without a status is taken for
 * INVESTIGATING, which services assign and show.
 */
export function isRedefined(log: Pick<OperationLog, "digest" | "parts">, { body, digest }: Content): boolean {
  const [first] = log.parts?.updates ?? [];
  const [own] = body.incidentUpdates;
  const initial = [undefined, statuses[0]];
  const same = initial.some((status) => status === own?.status) ? initial : [own?.status];
  const isSame = same.some((status) => textDigest({ ...own, status }) === first);
  return log.digest !== digest || (first !== undefined && !isSame);
}

/** Digests, by which a later run tells which fields its file has changed. */
export function partsOf({ incidentUpdates, name, services, severity }: CreateBody): Parts {
  return {
    name: shortDigest(normalText(name)),
    severity: shortDigest(severity),
    services: shortDigest([...new Set(services.map(({ id }) => normalId(id)))].sort()),
    updates: incidentUpdates.map(textDigest),
  };
}

export function textDigest({ description = "", status }: TimelineUpdate): string {
  return shortDigest([status ?? null, normalText(description)]);
}
