// The content of a create: the body that is sent, and the digests that recognize the same content in a journal.

import { bodyAsWritten, type CreateBody, createBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { normalBody, normalId } from "../incident/normal-form.ts";
import type { Content, OperationLog } from "./events.ts";
import { hash } from "./journal.ts";

export interface RequestContent {
  readonly content: Content;
  /**
   * The digests that a journal of 0.2.0 or 0.1.0 may have for this content: they are of the body as it is sent, or, in
   * 0.1.0, as it was written, without the account and the seconds that are filled in now.
   */
  readonly earlierDigests: readonly string[];
}

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
): RequestContent {
  const body = createBody(definition, id, account);
  const incidentUpdates = isStartRelative ? withoutStart(body.incidentUpdates) : body.incidentUpdates;
  const services = body.services.map(withoutAccount(account));
  const otherAccounts = services.flatMap(({ accountId, id }) =>
    accountId ? [normalId(id + accountId)] : [],
  );
  const meaning = normalBody({ ...body, incidentUpdates: incidentUpdates.map(withoutNotification) });
  const digest = hash([meaning, otherAccounts.sort()]);
  const earlier = [
    { ...body, services, incidentUpdates },
    ...(isStartRelative ? [] : [bodyAsWritten(definition, id), body]),
  ];
  const earlierDigests = new Set(earlier.map(digestAsSent));
  return { content: { body, digest }, earlierDigests: [...earlierDigests] };
}

/** Whether a log is of this content, in any notation. */
export function isSameContent({ digest = "" }: OperationLog, request: RequestContent): boolean {
  return request.content.digest === digest || request.earlierDigests.includes(digest);
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

type Service = CreateBody["services"][number];

function withoutAccount(account: string | undefined): (service: Service) => Service {
  return (service) => {
    const { accountId, ...others } = service;
    return accountId?.toLowerCase() === account?.toLowerCase() ? others : service;
  };
}

/** The digest of a body without its id, as 0.1.0 and 0.2.0 computed it. */
function digestAsSent(body: CreateBody): string {
  return hash({ ...body, id: undefined });
}
