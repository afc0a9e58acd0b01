// The content of a create: the body that is sent, and the digests that recognize the same content in a journal.
import type { Definition } from "../../incident/definition.ts";
import { bodyAsWritten, type CreateBody, createBody } from "../../incident/wire.ts";
import type { Content } from "./events.ts";
import { hash } from "./journal.ts";

export interface RequestContent {
  readonly content: Content;
  /**
   * The digests that a journal of 0.1.0 may have for this content: that version sent a definition as it was written,
   * without the account and the seconds that are filled in now.
   */
  readonly earlierDigests: readonly string[];
}

/**
 * `account` is the account of the settings. A service with this account and a service without an account have the same
 * digest, because the same body is sent for both. With `isStartRelative`, the date of the first update depends on when
 * the command runs, so that it is not part of the digest: a rerun is the same create.
 */
export function contentOf(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
  isStartRelative = false,
): RequestContent {
  const body = createBody(definition, id, account);
  const digest = digestOf({
    ...body,
    services: body.services.map(withoutAccount(account)),
    incidentUpdates: isStartRelative ? withoutStart(body.incidentUpdates) : body.incidentUpdates,
  });
  if (isStartRelative) return { content: { body, digest }, earlierDigests: [] };
  const earlierDigests = new Set([digestOf(bodyAsWritten(definition, id)), digestOf(body)]);
  earlierDigests.delete(digest);
  return { content: { body, digest }, earlierDigests: [...earlierDigests] };
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

/** The digest of a body without its id. */
function digestOf(body: CreateBody): string {
  return hash({ ...body, id: undefined });
}
