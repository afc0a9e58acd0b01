// Several creates, in the order of their definitions; the first that fails ends it, and the same command takes
// it up again from there.
import { cancellation, Failure } from "../failure.ts";
import { createBody, type Incident } from "../incident/wire.ts";
import type { LocatedDefinition } from "../source/definitions.ts";
import { deliver } from "./create-once.ts";
import type { Delivered, DeliveryOptions, Wanted } from "./delivery-options.ts";
import { type Claim, type Claims, digestOf } from "./journal/claims.ts";
import { isBeingSent, type Operation } from "./journal/events.ts";
import { idForText } from "./key.ts";

export interface Batch extends DeliveryOptions {
  readonly claims: Claims;
  /** `--key`: for one definition without an id. */
  readonly key?: string | undefined;
  /** `--new`: what is under way with the same content is another incident. */
  readonly isNew: boolean;
}

export interface BatchResult {
  readonly incidents: readonly Incident[];
  readonly failure?: Failure;
  /** Forgets what is under way; to be called when the user has been told. */
  readonly acknowledge: () => void;
}

interface Chosen extends Wanted {
  /** Found by its content alone: it has to be remembered until the user has been told. */
  readonly claim?: Claim;
}

export async function deliverAll(
  batch: Batch,
  definitions: readonly LocatedDefinition[],
): Promise<BatchResult> {
  const { claims, context } = batch;
  const incidents: Incident[] = [];
  let chosen: readonly Chosen[] = [];
  let failure: Failure | undefined;
  let at = 0;
  try {
    chosen = chooseAll(batch, definitions);
    warnOfOthers(batch, new Set(chosen.map(({ key }) => key.id)));
    for (const { claim, content } of chosen)
      if (claim?.earlier && !batch.isNew) batch.warn(describeEarlier(content.body.name, claim.earlier));
    for (const [index, wanted] of chosen.entries()) {
      at = index;
      if (context.signal.aborted) throw cancellation(context.signal, "nothing more was sent");
      const delivered = await deliver(batch, wanted);
      incidents.push(delivered.incident);
      batch.note(describe(delivered, definitions[index] as LocatedDefinition));
      if (delivered.failure !== undefined) throw delivered.failure;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = batchFailure(error, definitions, { at, declared: incidents.length, signal: context.signal });
  }
  return {
    incidents,
    ...(failure === undefined ? {} : { failure }),
    acknowledge: () => {
      // Until all of it is done, the same command must find what it has done so far.
      if (failure !== undefined) return;
      for (const { claim } of chosen) if (claim !== undefined) claims.release(claim.name);
    },
  };
}

/** Chosen before the first is sent, so that what cannot be claimed stops all of them. */
function chooseAll(batch: Batch, definitions: readonly LocatedDefinition[]): Chosen[] {
  const occurrences = new Map<string, number>();
  return definitions.map((located) => choose(batch, located, occurrences));
}

function choose(batch: Batch, { definition }: LocatedDefinition, occurrences: Map<string, number>): Chosen {
  const { claims, context, service } = batch;
  const digest = digestOf(createBody(definition, undefined));
  const wanted = (id: string) => ({
    key: { ...service, id },
    content: { body: createBody(definition, id), digest },
  });
  const id =
    definition.id?.toLowerCase() ?? (batch.key === undefined ? undefined : idForText(service, batch.key));
  if (id !== undefined) return { ...wanted(id), mayExist: true };
  const occurrence = (occurrences.get(digest) ?? 0) + 1;
  occurrences.set(digest, occurrence);
  const freshness = batch.isNew ? "fresh" : undefined;
  const claim = claims.claim(service, { digest, occurrence }, context.random.guid, freshness);
  return { ...wanted(claim.key.id), mayExist: false, claim };
}

/** Earlier creates from here that are still uncertain; what cannot be read there must not stop this one. */
function warnOfOthers({ context, journal, warn }: Batch, own: ReadonlySet<string>): void {
  try {
    for (const operation of journal.unsettled()) {
      const isOther = !own.has(operation.key.id) && !isBeingSent(operation, context.clock.now());
      if (isOther) warn(describeLost(operation));
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}

function describe({ how, incident, since }: Delivered, { definition }: LocatedDefinition): string {
  const name = `${incident.id}  ${definition.name}`;
  switch (how) {
    case "declared":
      return `declared ${name}`;
    case "found":
      return `already declared ${name}`;
    case "remembered":
      return `already declared ${name} (from here, ${since ?? "before"})`;
  }
}

function describeEarlier(name: string, { at, id }: NonNullable<Claim["earlier"]>): string {
  return `"${name}" was declared from here at ${at} as ${id}, with the same content; this declares another (an id or --key makes every run the same incident)`;
}

function describeLost({ content, key, uncertain }: Operation): string {
  return `what came of the create of ${key.id} ("${content.body.name}"), sent at ${uncertain?.at}, is not known: incident journal show ${key.id}`;
}

interface Position {
  /** Index of the definition that failed. */
  readonly at: number;
  readonly declared: number;
  readonly signal: AbortSignal;
}

/** A failure after others were declared is "partial", unless it is the more alarming "uncertain". */
function batchFailure(
  failure: Failure,
  definitions: readonly LocatedDefinition[],
  position: Position,
): Failure {
  const { at, declared, signal } = position;
  const failed = (definitions[at] as LocatedDefinition).definition;
  // Whoever declined a question has nothing to paste elsewhere, and what is declared need not be.
  const declined = failure.kind === "interrupted" && !signal.aborted;
  const publicText =
    declined || declared > at
      ? undefined
      : [failed.name, failed.incidentUpdates[0]?.description].join("\n\n");
  const { commands, hint, retryable, response } = failure;
  const details = {
    hint,
    retryable,
    cause: failure,
    ...(commands && { commands }),
    ...(publicText && { publicText }),
    ...(response && { response }),
  };
  if (definitions.length === 1) return new Failure(failure.kind, failure.message, details);
  const untried = definitions.length - at - 1;
  const rest = untried > 0 ? `; ${untried} not tried` : "";
  // Ctrl-C after the first byte comes with the commands that settle it.
  const isUncertain =
    failure.kind === "uncertain" || (failure.kind === "interrupted" && commands !== undefined);
  const worst = isUncertain ? "uncertain" : "partial";
  return new Failure(
    declared > 0 ? worst : failure.kind,
    `${declared} declared, then "${failed.name}" (${at + 1} of ${definitions.length}): ${failure.message}${rest}`,
    { ...details, retryable: retryable && declared === 0 },
  );
}
