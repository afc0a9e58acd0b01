// The requests of an apply, and all of them as one proposal with one digest.
import type { ApiRequest, RequestTarget } from "../../api/request.ts";
import { isToBeDeclared } from "../../delivery/apply.ts";
import { updatesToPost } from "../../delivery/plan.ts";
import { countOf } from "../../text/lengths.ts";
import type { PlanFacts } from "../../view/plan.ts";
import { changeRequests, type PlannedIncident, planCreate } from "../sending/plan.ts";
import type { Proposal } from "../sending/preview.ts";
import { type AppliedFile, envelopeOf } from "./result.ts";

export interface ApplyProposal extends Proposal {
  readonly facts: PlanFacts;
  /** The number of creates, updates and edits; a create counts once, with the updates that follow it. */
  readonly changes: number;
  /** What is sent, for a question. */
  readonly subject: string;
}

/** `isAll`: everything that the definitions say, also of incidents that exist. */
export function proposeApply(
  target: RequestTarget,
  plan: readonly AppliedFile[],
  typed: Pick<Proposal, "input" | "spec">,
  { isAll = false, recreate = false }: { readonly isAll?: boolean; readonly recreate?: boolean },
): ApplyProposal {
  const isCreate = (planned: AppliedFile) => isToBeDeclared(planned, { recreate });
  const wholes = plan.map(({ definition, key }) => planCreate(target, definition, key.id));
  const incidents = plan.map((planned, at) => {
    const whole = wholes[at] as PlannedIncident;
    return isAll || isCreate(planned) ? whole : { ...whole, requests: requestsOf(target, planned) };
  });
  const facts = factsOf(target, plan, incidents);
  const counts = plan.map((planned) => {
    const { action, changes } = planned;
    if (changes !== undefined) return changes.count + (changes.edit ? 1 : 0);
    return isCreate(planned) && action !== "unsettled" ? 1 : 0;
  });
  const changes = counts.reduce((sum, count) => sum + count, 0);
  const creates = plan.filter(isCreate).length;
  const isDeclaring = creates > 0 && plan.every((planned) => planned.changes === undefined);
  return {
    ...typed,
    incidents: incidents.filter(({ requests }) => requests.length > 0),
    // A confirmation of all definitions, made without a key, permits every part of them.
    whole: wholes.flatMap(({ requests }) => requests),
    shown: {
      data: facts,
      page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, facts),
    },
    facts,
    changes,
    subject: isDeclaring ? `Declare ${countOf(creates, "incident")}` : `Send ${countOf(changes, "change")}`,
  };
}

/** The requests to an incident that exists; none where it stays as it is. */
function requestsOf(target: RequestTarget, planned: AppliedFile): readonly ApiRequest[] {
  const { changes, key, serviceId = key.id } = planned;
  return changes === undefined
    ? []
    : changeRequests(target, serviceId, { ...changes, updates: updatesToPost(planned) });
}

/** The plan, with the bodies of its creates. */
function factsOf(
  target: RequestTarget,
  plan: readonly AppliedFile[],
  incidents: readonly PlannedIncident[],
): PlanFacts {
  const envelope = envelopeOf(plan, true);
  const results = envelope.results.map((result, at) => {
    const bodies = incidents[at]?.requests.map(({ body }) => body as NonNullable<typeof result.body>) ?? [];
    const body = bodies.find((each) => Object.hasOwn(each, "incidentUpdates"));
    return body === undefined ? result : { ...result, body };
  });
  return { ...envelope, baseUrl: target.baseUrl.value, accountId: target.account.value ?? "none", results };
}
