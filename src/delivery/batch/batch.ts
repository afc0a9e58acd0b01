// Several creates, in the order of their definitions. The first that fails ends the batch, and the same command
// continues it from there.

import type { AddUpdate } from "../../document/operations.ts";
import { cancellation, Failure } from "../../failure.ts";
import { differencesOf } from "../../incident/comparison.ts";
import type { Definition, Update } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import { claimedFor, operation } from "../../journal/model.ts";
import { countOf } from "../../text/lengths.ts";
import { createOnce } from "../create-once.ts";
import { checkNotification, findOpen, warnOfDifferences } from "../creates/declared.ts";
import { lookAtOpen } from "../creates/list-look.ts";
import type { Delivered, DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";
import { asFailure, timeOf, worstOf } from "../failures.ts";
import { idForText } from "../incident-id.ts";
import { findSimilarCreate, unsettledCreates } from "../unsettled.ts";
import { contentToSend, planRest, withRest } from "./rest-of-updates.ts";

export interface BatchOptions extends DeliveryOptions {
  /** `--key`: for one definition without an id. */
  readonly key?: string | undefined;
  /** `--new`: an unfinished or similar create is another incident. */
  readonly isNew: boolean;
}

export interface BatchResult {
  readonly incidents: readonly Incident[];
  /** How the incident of the same index came about. */
  readonly how: readonly Delivered["how"][];
  readonly failure?: Failure;
}

interface PlannedCreate extends DeliveryRequest {
  /** The open incident that this content declared before. */
  readonly open?: Delivered | undefined;
}

export async function createAll(
  options: BatchOptions,
  definitions: readonly Definition[],
): Promise<BatchResult> {
  const { reporter, system } = options;
  const delivered: Delivered[] = [];
  const requests: PlannedCreate[] = [];
  let failure: Failure | undefined;
  let at = 0;
  try {
    // A failure here stops all of them before the first create is sent.
    const createRequest = createRequests(options);
    for (const definition of definitions) {
      at = requests.length;
      requests.push(await createRequest(definition));
    }
    at = 0;
    await checkUnsettled(options, requests);
    for (const [index, request] of requests.entries()) {
      at = index;
      if (system.signal.aborted) throw cancellation(system.signal, "nothing more was sent");
      const created = request.open ?? (await createOnce(options, request));
      const definition = definitions[index] as Definition;
      // An open incident of another operation is the answer, and nothing is posted to it.
      const isOthers = created.how === "open" && created.log.created === undefined;
      const one = isOthers ? created : await withRest(options, request.content, created, definition);
      if (isOthers) tellRest(options, created, definition);
      if (one.how === "open")
        warnOfDifferences(reporter, one.incident, differencesOf(request.content.body, one.incident));
      delivered.push(one);
      reporter.info(describe(options, one, definition));
      if (one.failure !== undefined) throw one.failure;
    }
  } catch (error) {
    // Report the ids of the declared incidents also when an error ends the batch.
    if (!(error instanceof Failure) && delivered.length === 0) throw error;
    failure = batchFailure(asFailure(error), definitions, at, delivered.length);
  }
  return {
    incidents: delivered.map(({ incident }) => incident),
    how: delivered.map(({ how }) => how),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** The open incident that answers a create, and what is posted to it. */
export interface Answered {
  readonly definition: Definition;
  readonly incident: Incident;
  readonly addUpdate?: AddUpdate | undefined;
  readonly updates: readonly Update[];
}

/** Reads alone, and tells them. Throws the `Failure` where the answer is a refusal. */
export async function findAnswers(
  given: BatchOptions,
  definitions: readonly Definition[],
): Promise<readonly Answered[]> {
  // A run that sends looks, asks and warns on its own.
  const memory = { ...given.memory, answers: new Map(), told: new Map() };
  const options = { ...given, memory };
  const { confirmed, isNew, journal, reporter } = options;
  const createRequest = createRequests(options);
  const answered: Answered[] = [];
  for (const definition of isNew ? [] : definitions) {
    const request = await createRequest(definition);
    const { content, key } = request;
    const looked = request.open ? undefined : await lookAtOpen(options, request, await journal.read(key));
    if (looked?.kind === "other") throw looked.failure;
    const open = request.open ?? (looked?.kind === "answer" ? looked.answer : undefined);
    const similar = memory.told.get(key.id);
    if (similar && confirmed === undefined) reporter.warn(similar);
    if (open === undefined) continue;
    if (confirmed === undefined) reporter.warn(describe(options, open, definition));
    const rest = request.open && (await planRest(options, content, open, definition));
    answered.push({ updates: [], ...rest, definition, incident: open.incident });
  }
  return answered;
}

/**
 * A create without an id continues the newest one of its content that is unfinished, or whose incident is open. It is that of
 * the first run that sends: the `sending` event claims the content.
 */
function createRequests(options: BatchOptions): (definition: Definition) => Promise<PlannedCreate> {
  const { isNew, journal, service, system } = options;
  const claims = new Map<string, number>();
  return async (definition) => {
    const id = definition.id?.toLowerCase() ?? (options.key && idForText(service, options.key));
    const content = await contentToSend(options, definition, id);
    if (id !== undefined) return { key: { ...service, id }, content, mayExist: true };
    const { digest } = content;
    const claim = (claims.get(digest) ?? 0) + 1;
    claims.set(digest, claim);
    const known = isNew ? undefined : claimedFor(await journal.model(service), digest, claim);
    const open = known?.created && (await findOpen(options, known));
    const refusal = open && checkNotification(content, open);
    if (refusal !== undefined) throw refusal;
    const key =
      known !== undefined && (known.created === undefined || open)
        ? known.key
        : { ...service, id: system.random.guid() };
    return { key, content, mayExist: false, hasRandomId: true, claim, after: known?.key.id, open };
  };
}

/** The updates after the first one, which are not posted to an incident that this command did not declare. */
function tellRest(
  { reporter }: BatchOptions,
  { incident: { id } }: Delivered,
  { incidentUpdates: { length } }: Definition,
): void {
  if (length > 1)
    reporter.warn(
      `${id} is open already, and the other updates of the definition are not posted: incident update ${id} posts one`,
    );
}

/** Stops a create that may be an earlier one with an unknown outcome. Not with `--new`. */
async function checkUnsettled(options: BatchOptions, requests: readonly PlannedCreate[]): Promise<void> {
  if (options.isNew) return;
  const model = await options.journal.model(options.service);
  // Another run may have begun a create of these since: this run goes on with it.
  const begun = requests.flatMap(
    ({ claim, content }) => (claim && claimedFor(model, content.digest, claim)) || [],
  );
  const own = new Set([...requests, ...begun].map(({ key }) => key.id));
  const unsettled = unsettledCreates(model).filter(({ key }) => !own.has(key.id));
  for (const { content, key } of requests) {
    const failure = findSimilarCreate(options, unsettled, content);
    const { state } = operation(model, key, key.id);
    if (failure !== undefined && ["new", "sendable", "refused"].includes(state)) throw failure;
  }
}

function describe(
  options: BatchOptions,
  { how, incident, posted = 0, since }: Delivered,
  { name: title }: Definition,
): string {
  const also = how === "declared" || posted === 0 ? "" : `, and posted ${countOf(posted, "update")} after it`;
  const name = `${incident.id}  ${title}${also}`;
  switch (how) {
    case "declared":
      return `declared ${name}`;
    case "found":
      return `already declared ${name}`;
    case "remembered":
      return `already declared ${name} (from here, ${since === undefined ? "before" : timeOf(options, since)})`;
    case "open":
      return `still open ${name} (${since === undefined ? "not declared from here" : `declared from here at ${timeOf(options, since)}`}; --new declares another)`;
  }
}

function batchFailure(
  failure: Failure,
  definitions: readonly Definition[],
  at: number,
  declared: number,
): Failure {
  if (definitions.length === 1) return failure;
  const untried = definitions.length - at - 1;
  const rest = untried > 0 ? `; ${untried} not tried` : "";
  return (worstOf([failure], declared > 0) ?? failure).with({
    message: `${declared} declared, then "${definitions[at]?.name}" (${at + 1} of ${definitions.length}): ${failure.message}${rest}`,
  });
}
