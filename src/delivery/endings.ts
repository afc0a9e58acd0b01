// Judges how an attempt ended, by its meaning for the incident. The phase and the status decide, never the code of an
// error.
import { excerptOf, idInBody, readErrorBody } from "../api/answer.ts";
import type { CreateEnding } from "../api/client.ts";
import { canConcernId } from "../api/refusal.ts";
import type { Failure } from "../failure.ts";
import { meaningOfStatus } from "../http/meaning-of-status.ts";
import type { Answered, Outcome } from "../http/transport.ts";
import type { EndingKind } from "./next-step.ts";

export interface UnsuccessfulEnding {
  readonly kind: EndingKind;
  readonly outcome: Outcome;
  readonly failure: Failure;
  /** Other ids under which the incident may be found. */
  readonly ids: readonly string[];
}

/** The meaning of an ending without success, for a request that was sent with or without an id. */
export function judgeEnding(
  { failure, outcome }: Exclude<CreateEnding, { readonly kind: "created" }>,
  sentId: string | undefined,
  { baseUrl, hasRandomId = false }: { readonly baseUrl: string; readonly hasRandomId?: boolean | undefined },
): UnsuccessfulEnding {
  const answered = kindOf(outcome, sentId !== undefined);
  // Nobody else can have an id that was chosen at random: the create has arrived, perhaps twice.
  const kind = answered === "conflict" && hasRandomId ? "unclear" : answered;
  // The Location header of a refusal may name the incident of another person. Its id must not settle this create.
  return { kind, outcome, failure, ids: kind === "unclear" ? idsIn(outcome, baseUrl) : [] };
}

function kindOf(outcome: Outcome, hasId: boolean): EndingKind {
  switch (outcome.phase) {
    case "unsent":
      return "unsent";
    case "unanswered":
      return "unclear";
    case "answered":
      return kindOfAnswer(outcome, hasId);
  }
}

function kindOfAnswer(answer: Answered, hasId: boolean): EndingKind {
  const { status } = answer;
  if ((status === 400 || status === 422) && hasId && isAboutId(answer)) return "id-refused";
  return meaningOfStatus(status);
}

/** Whether the error has the service's own shape, and names no field but the id. */
function isAboutId(answer: Answered): boolean {
  return readErrorBody(answer) !== undefined && canConcernId(excerptOf(answer));
}

/** The id in the body of a success, and in a Location of the same origin. The Location is never followed. */
function idsIn(outcome: Outcome, baseUrl: string): string[] {
  if (outcome.phase !== "answered") return [];
  const id = outcome.status < 300 ? idInBody(outcome) : undefined;
  const located = idInLocation(outcome.headers.location, baseUrl);
  return [...new Set([id, located].filter((each) => each !== undefined))];
}

function idInLocation(location: string | undefined, baseUrl: string): string | undefined {
  if (location === undefined || !URL.canParse(location, baseUrl)) return undefined;
  const url = new URL(location, baseUrl);
  if (url.origin !== new URL(baseUrl).origin) return undefined;
  const last = url.pathname.split("/").at(-1) ?? "";
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(last) ? last : undefined;
}
