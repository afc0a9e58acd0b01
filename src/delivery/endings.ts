// Judges how an attempt ended, by its meaning for the incident. The phase and the status decide, never the code of an
// error.
import { excerptOf, readErrorBody } from "../api/answer.ts";
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
}

/** The meaning of an ending without success, for a request that was sent with or without an id. */
export function judgeEnding(
  { failure, outcome }: Exclude<CreateEnding, { readonly kind: "created" }>,
  { hasId, hasRandomId = false }: { readonly hasId: boolean; readonly hasRandomId?: boolean | undefined },
): UnsuccessfulEnding {
  const answered = kindOf(outcome, hasId);
  // No other incident has an id that was chosen at random: the create has arrived, perhaps twice.
  const kind = answered === "conflict" && hasRandomId ? "unclear" : answered;
  return { kind, outcome, failure };
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
