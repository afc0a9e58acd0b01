// The two operations of the service (spec 4): builds each request and interprets its answer. Keeps no state.
import type { Failure } from "../failure.ts";
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
import { longestMessage, readCreated, readIncident } from "./answer.ts";
import { foreignIdFailure, isMissing, outcomeFailure } from "./errors.ts";

/** The ending of a create, in terms of the incident. */
export type CreateEnding =
  /** 201 with the incident. `differences`: the changes of the service. */
  | { readonly kind: "created"; readonly incident: Incident; readonly differences: readonly Difference[] }
  /** Any other ending than a plain success; `failure` describes it. */
  | { readonly kind: "failed"; readonly outcome: Outcome; readonly failure: Failure };

export interface ReadOptions {
  /** Milliseconds for the read with all its attempts; waiting for the rate limit does not count. */
  readonly budget?: number;
  /** For a read of a plan: it shares the connections of the other reads. */
  readonly sharesConnection?: boolean;
}

/** The calls before the first byte of a create leaves. */
export type SendConditions = Pick<Control, "beforeSend" | "isOverdue" | "onPermitted">;

export type Client = ReturnType<typeof createClient>;

const incidentsPath = "/v1/status-pages/incidents";

export function createClient(
  settings: ServiceSettings,
  transport: Transport,
  control: Pick<Control, "deadline" | "signal">,
) {
  const headers = requestHeaders(settings);
  const sendGet = async (id: string, options: ReadOptions = {}) => {
    if (!isGuid(id)) throw foreignIdFailure(id);
    const url = `${settings.baseUrl.value}${incidentsPath}/${id}`;
    return transport({ method: "GET", url, headers }, { ...control, ...options });
  };
  const incidentOf = (outcome: Outcome, id: string): Incident => {
    const incident =
      outcome.phase === "answered" && outcome.status === 200 ? readIncident(outcome) : undefined;
    const isSame = incident?.ok && incident.value.id.toLowerCase() === id.toLowerCase();
    if (isSame) return incident.value;
    const problem = incident?.ok
      ? `is about another incident, ${cutText(incident.value.id, longestMessage)}`
      : incident?.problem;
    throw outcomeFailure(outcome, { operation: "get", id, settings, signal: control.signal, problem });
  };
  return {
    settings,
    /** Milliseconds until a request is aborted. */
    deadline: control.deadline,
    /** spec 4.1. Throws a `Failure`. */
    getIncident: async (id: string) => incidentOf(await sendGet(id), id),
    /** As `getIncident`; undefined if the service itself answers that the incident does not exist. */
    async findIncident(id: string, options?: ReadOptions): Promise<Incident | undefined> {
      const outcome = await sendGet(id, options);
      return isMissing(outcome) ? undefined : incidentOf(outcome, id);
    },
    /** spec 4.2: sends one create. `id` is the origin of the id in the body. */
    async createIncident(
      body: CreateBody,
      { id = "chosen", ...conditions }: SendConditions & { readonly id?: IdOrigin["id"] } = {},
    ): Promise<CreateEnding> {
      const outcome = await transport(createRequest(settings, body), { ...control, ...conditions });
      const incident =
        outcome.phase === "answered" && outcome.status === 201 ? readCreated(outcome) : undefined;
      let problem = incident?.problem;
      if (incident?.ok) {
        const hasOwnId = incident.value.id.toLowerCase() === body.id?.toLowerCase();
        const origin = { id: hasOwnId ? id : "unknown", isSent: true } as const;
        const { differences, kind } = compareIncident(body, incident.value, origin);
        if (kind !== "other") return { kind: "created", incident: incident.value, differences };
        problem = `has the content of another incident: ${describeDifferences(differences)}`;
      }
      const facts = { operation: "create", id: body.id, settings, signal: control.signal, problem } as const;
      return { kind: "failed", outcome, failure: outcomeFailure(outcome, facts) };
    },
  };
}

/** The request of a create, as it is sent. */
export function createRequest(settings: ServiceSettings, body: CreateBody) {
  return {
    method: "POST",
    url: settings.baseUrl.value + incidentsPath,
    headers: { ...requestHeaders(settings), "content-type": "application/json" },
    body: JSON.stringify(body),
  } as const;
}

/** spec 5. */
export function requestHeaders(settings: ServiceSettings): Record<string, string> {
  const { account, accountHeader, apiKey } = settings;
  return {
    accept: "application/json",
    authorization: `Bearer ${apiKey.value}`,
    ...(account.value === undefined ? {} : { [accountHeader]: account.value }),
  };
}
