// The request that a failure is about, and the words that depend on it.
import { Failure, type FailureKind } from "../failure.ts";
import { advise, argv, type Hint } from "../text/advice.ts";
import { cutText } from "../text/lengths.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { longestMessage } from "./answer.ts";

/** For each request that changes something: the words for one that changed nothing. */
const writes = {
  create: { nothing: "nothing was created; " },
  update: { nothing: "nothing was posted; " },
  edit: { nothing: "nothing was changed; " },
} as const;

/** The name of the entries of each list. */
const lists = { list: "incidents", services: "services" } as const;

export interface RequestFacts {
  readonly operation: "get" | keyof typeof writes | keyof typeof lists;
  /** The incident's id in the request. */
  readonly id: string | undefined;
  readonly settings: ServiceSettings;
  readonly signal?: AbortSignal | undefined;
  /** Why a successful answer is unusable; completes "the answer …". */
  readonly problem?: string | undefined;
}

/** Undefined for a read. */
export function writeOf({ operation }: RequestFacts) {
  return operation === "create" || operation === "update" || operation === "edit"
    ? writes[operation]
    : undefined;
}

/** An id from an answer or a journal can be any text: `..` in a path reads another path. */
export function foreignIdFailure(id: string): Failure {
  const shown = JSON.stringify(cutText(id, longestMessage));
  return new Failure(
    "rejected",
    `an incident has the id ${shown}, which is not a GUID and cannot be part of an address`,
    {
      hint: "look for the incident on the status page; the service, or an entry of the journal, gave this id",
    },
  );
}

/** The service itself answered 404. `answered` is its words. */
export function notFoundFailure(
  { id, operation }: RequestFacts,
  answered: string,
  fail: (kind: FailureKind, message: string, hint: Hint) => Failure,
): Failure {
  if (operation === "create")
    return fail(
      "rejected",
      `the service refused the create ${answered}`,
      "check the services' ids and the account",
    );
  if (operation === "list" || operation === "services")
    return fail(
      "rejected",
      `the service has no list of its ${lists[operation]} ${answered}`,
      advise`look at its document again, which describes one: ${argv`incident contract check`}`,
    );
  return fail("missing", `there is no incident ${id} ${answered}`, "check the id and the account");
}
