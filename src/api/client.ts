// The operations of the service (spec 4, and its own document): builds each request and interprets its answer. Keeps no state.
import type { AddUpdate, Edit } from "../document/contract.ts";
import type { Control, Outcome, Transport } from "../http/transport.ts";
import {
  type Difference,
  describeDifferences,
  differencesOf,
  hasOtherContent,
  updateDifferences,
} from "../incident/comparison.ts";
import type { CreateBody } from "../incident/create-body.ts";
import type { Update } from "../incident/definition.ts";
import { isSameUpdate } from "../incident/updates.ts";
import { type Incident, isSameId, parseIncident, type UpdateFacts, updateFacts } from "../incident/wire.ts";
import { isGuid } from "../rules/forms.ts";
import { countOf, cutText } from "../text/lengths.ts";
import { entriesOf, type Fields, fieldOf, isMapping } from "../untrusted-data.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { incidentIn, isOfService, longestMessage, type Parsed, readJson } from "./answer.ts";
import { foreignIdFailure, isUnnamed, outcomeFailure } from "./errors.ts";
import { createListReader } from "./lists.ts";
import {
  buildRequest,
  type FailureOf,
  pathOf,
  type ReadOptions,
  type Send,
  type SendConditions,
  toWire,
} from "./request.ts";

/** `id`: of the update, where the service says it. `differences`: the changes of the service. */
type AddedUpdate = { readonly id: string | undefined; readonly differences: readonly Difference[] };

export type Client = ReturnType<typeof createClient>;

/** Throws a `Failure` for an id that cannot be part of an address. */
function pathTo(id: string, ...steps: readonly string[]): string {
  if (isGuid(id)) return pathOf("incidents", id, ...steps);
  throw foreignIdFailure(id);
}

/** `learn` adds the name that the service's document has for the header of the account, where it has one. */
export function createClient(
  settings: ServiceSettings,
  transport: Transport,
  control: Pick<Control, "deadline" | "signal">,
  learn = async (unnamed: ServiceSettings) => unnamed,
) {
  let named = settings;
  const send: Send = async (request, options = {}) => {
    const { accountHeader, apiKey } = named;
    const outcome = await transport(toWire(buildRequest(named, request), apiKey.value), {
      ...control,
      ...options,
    });
    const isRefused = outcome.phase === "answered" && [400, 401, 403].includes(outcome.status);
    if (request.method !== "GET" || !isRefused || !isUnnamed(named)) return outcome;
    // The service may expect the account in another header.
    named = await learn(named);
    return named.accountHeader.value === accountHeader.value ? outcome : send(request, options);
  };
  const failureOf: FailureOf = (outcome, operation, id, problem) =>
    outcomeFailure(outcome, { operation, id, settings: named, signal: control.signal, problem });
  const readOwn = (outcome: Outcome, id: string): Parsed<Incident> | undefined => {
    const incident = incidentIn(outcome, 200);
    if (incident?.value === undefined || isSameId(incident.value.id, id)) return incident;
    return { problem: `is about another incident, ${cutText(incident.value.id, longestMessage)}` };
  };
  const incidentOf = (outcome: Outcome, id: string): Incident => {
    const incident = readOwn(outcome, id);
    if (incident?.value) return incident.value;
    throw failureOf(outcome, "get", id, incident?.problem);
  };
  return {
    list: createListReader(send, failureOf),
    settings,
    /** Milliseconds until a request is aborted. */
    deadline: control.deadline,
    /** Reads an incident (spec 4.1). Throws a `Failure`. */
    getIncident: async (id: string, options?: ReadOptions) =>
      incidentOf(await send({ method: "GET", path: pathTo(id) }, options), id),
    /** As `getIncident`; undefined if the service itself, and no proxy, answers that there is no such incident (spec 7). */
    async findIncident(id: string, options?: ReadOptions) {
      const outcome = await send({ method: "GET", path: pathTo(id) }, options);
      const isMissing = outcome.phase === "answered" && outcome.status === 404 && isOfService(outcome);
      return isMissing ? undefined : incidentOf(outcome, id);
    },
    /**
     * Sends one create (spec 4.2). No other incident has a random id. `isOther`: whether an id is that of another create.
     * Any ending of a write but a plain success is `failed`. `differences`: the changes of the service.
     */
    async createIncident(
      body: CreateBody,
      {
        hasRandomId = false,
        isOther = () => false,
        ...conditions
      }: SendConditions & { readonly hasRandomId?: boolean; readonly isOther?: (id: string) => boolean } = {},
    ) {
      const outcome = await send({ method: "POST", path: pathOf("incidents"), body }, conditions);
      const incident = incidentIn(outcome, 201);
      let problem = incident?.problem;
      if (incident?.value) {
        const isOwn = hasRandomId && isSameId(incident.value.id, body.id);
        const differences = differencesOf(body, incident.value);
        const isKnown = isOther(incident.value.id);
        if (!isKnown && (isOwn || !hasOtherContent(body, incident.value, { isSent: true })))
          return { kind: "created", incident: incident.value, differences } as const;
        problem = isKnown
          ? `has ${incident.value.id}, the incident of another create from here`
          : `has the content of another incident: ${describeDifferences(differences)}`;
      }
      return { kind: "failed", outcome, failure: failureOf(outcome, "create", body.id, problem) } as const;
    },
    /** Posts one update. `known`: the updates of the incident as it was read last. */
    async addUpdate(
      { segment }: AddUpdate,
      id: string,
      body: Update,
      { known = [], ...conditions }: SendConditions & { readonly known?: readonly UpdateFacts[] } = {},
    ) {
      const outcome = await send({ method: "POST", path: pathTo(id, segment), body }, conditions);
      const added = readAdded(outcome, id, body, known);
      if (added?.value) return { kind: "added", ...added.value } as const;
      return { kind: "failed", outcome, failure: failureOf(outcome, "update", id, added?.problem) } as const;
    },
    async editIncident({ method }: Edit, id: string, body: Fields, conditions: SendConditions = {}) {
      const outcome = await send({ method, path: pathTo(id), body }, conditions);
      const edited = readOwn(outcome, id);
      if (edited?.value) return { kind: "edited", incident: edited.value } as const;
      return { kind: "failed", outcome, failure: failureOf(outcome, "edit", id, edited?.problem) } as const;
    },
  };
}

/**
 * The update in an answer, or in the incident in an answer. `known`: the updates before it. An answer proves no more than it
 * contains: the text that was sent, or another text under a new id with the status that was sent.
 */
function readAdded(
  outcome: Outcome,
  incidentId: string,
  sent: Update,
  known: readonly UpdateFacts[],
): Parsed<AddedUpdate> | undefined {
  if (outcome.phase !== "answered" || ![200, 201].includes(outcome.status)) return undefined;
  const json = readJson(outcome);
  if (json.problem !== undefined) return json;
  const incident = parseIncident(json.value);
  const isIncident = Array.isArray(incident?.incidentUpdates);
  if (isIncident && !isSameId(incident?.id, incidentId)) return { problem: "is about another incident" };
  const answered = [fieldOf(json.value, "data"), json.value].find(isMapping);
  const updates = isIncident
    ? entriesOf(incident?.incidentUpdates)
    : [answered].filter((each) => typeof fieldOf(each, "description") === "string");
  const found = isIncident ? newIn(updates, sent, known) : updates.find((each) => canBe(each, sent, known));
  if (found !== undefined)
    return { value: { id: updateFacts(found).id, differences: updateDifferences(sent, found) } };
  if (isIncident)
    return {
      problem: `is an incident with ${countOf(updates.length, "update")}, and not this one`,
    };
  return { problem: updates.length === 0 ? "has no update" : "is about another update" };
}

/** The update that the incident has more than `known`. Counted, since the ids of some services change with each read. */
function newIn(updates: readonly unknown[], sent: Update, known: readonly UpdateFacts[]): unknown {
  const isEqual = (each: unknown) => isSameUpdate(updateFacts(each), sent);
  const equal = updates.filter(isEqual);
  const equalKnown = known.filter((each) => isSameUpdate(each, sent)).length;
  if (equal.length > equalKnown)
    return equal.find((each) => isUnknown(each, known)) ?? { ...sent, id: undefined };
  const altered = updates.filter((each) => !isEqual(each) && canBe(each, sent, known));
  return updates.length > known.length && altered.length === 1 ? altered[0] : undefined;
}

/** Whether the update is not a known one, and has the text, or an id and the status. */
function canBe(update: unknown, sent: Update, known: readonly UpdateFacts[]): boolean {
  const { id, status } = updateFacts(update);
  const isAltered = id !== undefined && status !== undefined && status === sent.status;
  return isUnknown(update, known) && (isAltered || isSameUpdate(updateFacts(update), sent));
}

function isUnknown(update: unknown, known: readonly UpdateFacts[]): boolean {
  const { id } = updateFacts(update);
  return !known.some((each) => isSameId(each.id, id));
}
