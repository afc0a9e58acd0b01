// The operations of the service: builds each request and interprets its answer. Two are in the spec (spec 4), and the
// others are those that the service's own document describes. Keeps no state.
import type { Control, Outcome, Transport } from "../http/transport.ts";
import {
  compareIncident,
  type Difference,
  describeDifferences,
  type IdOrigin,
} from "../incident/comparison.ts";
import type { CreateBody } from "../incident/create-body.ts";
import type { Incident } from "../incident/wire.ts";
import { isGuid } from "../rules/forms.ts";
import { cutText } from "../text/lengths.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { incidentIn, longestMessage } from "./answer.ts";
import { type Changes, createChanges, type Failed } from "./changes.ts";
import { foreignIdFailure, isMissing, outcomeFailure, type RequestFacts } from "./errors.ts";
import { createLists, type Lists } from "./lists.ts";
import { buildRequest, type ReadOptions, type Send, type SendConditions, toWire } from "./request.ts";

/** The ending of a create, in terms of the incident. */
export type CreateEnding =
  /** 201 with the incident. `differences`: the changes of the service. */
  | {
      readonly kind: "created";
      readonly incident: Incident;
      readonly differences: readonly Difference[];
    }
  | Failed;

export interface Client extends Lists, Changes {
  readonly settings: ServiceSettings;
  /** Milliseconds until a request is aborted. */
  readonly deadline: number;
  /** Reads an incident (spec 4.1). Throws a `Failure`. */
  getIncident(id: string, options?: ReadOptions): Promise<Incident>;
  /** As `getIncident`; undefined if the service itself answers that the incident does not exist. */
  findIncident(id: string, options?: ReadOptions): Promise<Incident | undefined>;
  /** Sends one create (spec 4.2). `id` is the origin of the id in the body. */
  createIncident(
    body: CreateBody,
    conditions?: SendConditions & { readonly id?: IdOrigin["id"] },
  ): Promise<CreateEnding>;
}

export function createClient(
  settings: ServiceSettings,
  transport: Transport,
  control: Pick<Control, "deadline" | "signal">,
): Client {
  const send: Send = async (request, options = {}) => {
    if (request.id !== undefined && !isGuid(request.id)) throw foreignIdFailure(request.id);
    return transport(toWire(buildRequest(settings, request)), { ...control, ...options });
  };
  const failureOf = (outcome: Outcome, operation: RequestFacts["operation"], id?: string, problem?: string) =>
    outcomeFailure(outcome, { operation, id, settings, signal: control.signal, problem });
  const incidentOf = (outcome: Outcome, id: string): Incident => {
    const incident = incidentIn(outcome, 200);
    const isSame = incident?.ok && incident.value.id.toLowerCase() === id.toLowerCase();
    if (isSame) return incident.value;
    const problem = incident?.ok
      ? `is about another incident, ${cutText(incident.value.id, longestMessage)}`
      : incident?.problem;
    throw failureOf(outcome, "get", id, problem);
  };
  return {
    ...createLists(send, failureOf),
    ...createChanges(send, failureOf),
    settings,
    deadline: control.deadline,
    getIncident: async (id, options) => incidentOf(await send({ method: "GET", id }, options), id),
    async findIncident(id, options) {
      const outcome = await send({ method: "GET", id }, options);
      return isMissing(outcome) ? undefined : incidentOf(outcome, id);
    },
    async createIncident(body, { id = "chosen", ...conditions } = {}) {
      const outcome = await send({ method: "POST", body }, conditions);
      const incident = incidentIn(outcome, 201);
      let problem = incident?.problem;
      if (incident?.ok) {
        const hasOwnId = incident.value.id.toLowerCase() === body.id?.toLowerCase();
        const origin = { id: hasOwnId ? id : "unknown", isSent: true } as const;
        const { differences, kind } = compareIncident(body, incident.value, origin);
        if (kind !== "other") return { kind: "created", incident: incident.value, differences };
        problem = `has the content of another incident: ${describeDifferences(differences)}`;
      }
      return { kind: "failed", outcome, failure: failureOf(outcome, "create", body.id, problem) };
    },
  };
}
