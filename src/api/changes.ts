// Changes an incident as the service's document describes it: adds an update, and edits.
import type { Failure } from "../failure.ts";
import type { Outcome } from "../http/transport.ts";
import type { Update } from "../incident/definition.ts";
import { isSameUpdate } from "../incident/updates.ts";
import { type Incident, incidentFacts, parseIncident, updateFacts } from "../incident/wire.ts";
import type { AddUpdate, Edit } from "../rules/openapi/operations.ts";
import { countOf } from "../text/lengths.ts";
import { type Fields, isMapping } from "../untrusted-data.ts";
import { type Parsed, readIncident, readJson, requestIdOf } from "./answer.ts";
import type { FailureOf, Send, SendConditions } from "./send.ts";

/** Any other ending than a plain success; `failure` describes it. */
export interface Failed {
  readonly kind: "failed";
  readonly outcome: Outcome;
  readonly failure: Failure;
}

interface Answered {
  /** As the service or a proxy names the request. */
  readonly requestId?: string | undefined;
}

/** `id`: of the update, where the service says it. */
export type UpdateEnding = ({ readonly kind: "added"; readonly id: string | undefined } & Answered) | Failed;

export type EditEnding = ({ readonly kind: "edited"; readonly incident: Incident } & Answered) | Failed;

export interface Changes {
  /** Posts one update. */
  addUpdate(
    operation: AddUpdate,
    id: string,
    body: Update,
    conditions?: SendConditions,
  ): Promise<UpdateEnding>;
  /** Sends one edit. `ifMatch` is the ETag that the incident was read with. */
  editIncident(
    operation: Edit,
    id: string,
    body: Fields,
    conditions?: SendConditions & { readonly ifMatch?: string | undefined },
  ): Promise<EditEnding>;
}

export function createChanges(send: Send, failureOf: FailureOf): Changes {
  return {
    async addUpdate({ segment }, id, body, conditions = {}) {
      const outcome = await send({ method: "POST", id, segment, body }, conditions);
      const added = readAdded(outcome, body);
      return added?.ok
        ? { kind: "added", id: added.value.id, requestId: requestIdIn(outcome) }
        : { kind: "failed", outcome, failure: failureOf(outcome, "update", id, added?.problem) };
    },
    async editIncident({ method }, id, body, { ifMatch, ...conditions } = {}) {
      const outcome = await send({ method, id, body, ifMatch }, conditions);
      const edited =
        outcome.phase === "answered" && outcome.status === 200 ? readIncident(outcome) : undefined;
      const isOther = edited?.ok && edited.value.id.toLowerCase() !== id.toLowerCase();
      if (edited?.ok && !isOther)
        return { kind: "edited", incident: edited.value, requestId: requestIdIn(outcome) };
      const problem = isOther ? "is about another incident" : edited?.problem;
      return { kind: "failed", outcome, failure: failureOf(outcome, "edit", id, problem) };
    },
  };
}

function requestIdIn(outcome: Outcome): string | undefined {
  return outcome.phase === "answered" ? requestIdOf(outcome) : undefined;
}

/**
 * The update in an answer, which is the update itself or its incident. An answer without a text proves nothing else: the
 * service has taken the update, and its id is not promised.
 */
function readAdded(outcome: Outcome, sent: Update): Parsed<{ readonly id: string | undefined }> | undefined {
  if (outcome.phase !== "answered" || ![200, 201].includes(outcome.status)) return undefined;
  const json = readJson(outcome);
  if (!json.ok) return json;
  if (!isMapping(json.value)) return { ok: false, problem: "is not an update" };
  const incident = parseIncident(json.value);
  if (incident !== undefined && Array.isArray(incident.incidentUpdates)) {
    const same = incident.incidentUpdates.filter((each) => isSameUpdate(updateFacts(each), sent));
    const shown = incidentFacts(incident).updates.length;
    if (same.length === 0)
      return { ok: false, problem: `is an incident with ${countOf(shown, "update")}, and not this one` };
    return { ok: true, value: { id: undefined } };
  }
  const update = [json.value.data, json.value].find(isMapping) ?? {};
  if (update.description !== undefined && !isSameUpdate(updateFacts(update), sent))
    return { ok: false, problem: "is about another update" };
  return { ok: true, value: { id: typeof update.id === "string" ? update.id : undefined } };
}
