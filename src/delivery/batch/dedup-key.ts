// `--dedup-key`: one open incident for a key. The ids of a key are numbered by generation; the newest generation that
// exists answers while it is open, and the next one is declared once it is resolved.
import { Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import type { OperationKey, OperationLog } from "../../journal/events.ts";
import { settleEnds } from "../changes/unsettled-updates.ts";
import { type DeliveryOptions, timestamp } from "../delivery-options.ts";
import { readDeclared } from "../gone.ts";
import { idForGeneration } from "../incident-id.ts";
import { type BatchOptions, type BatchResult, createAll } from "./batch.ts";
import { mayHaveRest } from "./rest-of-updates.ts";

export interface DedupResult extends BatchResult {
  /** Undefined where the create failed. `over`: the incident of these start times of the alert is over. */
  readonly outcome?: "declared" | "open" | "over";
  /** The open incident has these start times of the alert already. */
  readonly isRepeated?: boolean;
  /** Records the start times that the open incident does not have. Throws a `Failure`. */
  readonly noteStarts?: () => Promise<void>;
}

type Observation =
  | { readonly is: "open"; readonly incident: Incident }
  | { readonly is: "resolved" }
  | { readonly is: "gone" }
  /** A create was sent, and its outcome is not known. */
  | { readonly is: "unsettled" };

/** No key has so many incidents, so a service that shows this generation shows every id. */
const highestGeneration = 2 ** 20;

/** Rounds in which a generation was missing, and resolved when it was looked for again. */
const mostRounds = 5;

/** The newest incidents of a key whose start times are compared. */
const mostCompared = 100;

/**
 * Declares the definition, unless an incident of the key is open, or one with these start times of the alert is over.
 * Throws a `Failure` where that cannot be read.
 */
export async function createUnlessOpen(
  options: BatchOptions,
  definition: Definition,
  text: string,
): Promise<DedupResult> {
  const { reporter, service } = options;
  for (let round = 0; round < mostRounds; round += 1) {
    const newest = await findNewest(options, text);
    const over = newest && (await findOver(options, text, newest));
    if (over !== undefined) {
      reporter.info(describeOver(over));
      return { incidents: [over], how: ["found"], outcome: "over" };
    }
    if (newest?.observed.is === "open") {
      const { incident } = newest.observed;
      const id = idForGeneration(service, text, newest.generation);
      const starts = await compareStarts(options, id);
      if (!starts.isRepeated && (await settleEnds(options, incident.id))) continue;
      const hasRest = await mayHaveRest(options, definition, id);
      if (!hasRest)
        reporter.info(`already open ${incident.id}  ${incidentFacts(incident).name ?? definition.name}`);
      const result = hasRest
        ? await createAll({ ...options, acceptsAnyContent: true }, [{ ...definition, id }])
        : { incidents: [incident], how: ["found"] as const };
      return { ...result, outcome: "open", ...starts };
    }
    const generation =
      newest === undefined ? 0 : newest.generation + (newest.observed.is === "unsettled" ? 0 : 1);
    const id = idForGeneration(service, text, generation);
    // The text of an alert differs from run to run, and another run may have declared this generation meanwhile.
    const result = await createAll({ ...options, acceptsAnyContent: true }, [{ ...definition, id }]);
    const [incident] = result.incidents;
    if (incident === undefined) return result;
    if (result.how[0] === "declared") return { ...result, outcome: "declared" };
    if (!isResolved(incident)) return { ...result, outcome: "open", ...(await compareStarts(options, id)) };
  }
  throw new Failure(
    "unavailable",
    `${mostRounds} incidents of the dedup key were missing, and resolved when they were looked for again`,
    { hint: "nothing was sent; run it again, or look at the status page if it happens again" },
  );
}

type Newest = NonNullable<Awaited<ReturnType<typeof findNewest>>>;

/** The newest incident of the key that is over, where all start times of the alert are of such incidents. */
async function findOver(
  options: DeliveryOptions,
  text: string,
  { generation, observed }: Newest,
): Promise<Incident | undefined> {
  const { alertStarts = [], service } = options;
  if (alertStarts.length === 0) return undefined;
  const left = new Set(alertStarts);
  let found: OperationLog | undefined;
  for (let at = generation; at >= 0 && at > generation - mostCompared && left.size > 0; at -= 1) {
    const key = { ...service, id: idForGeneration(service, text, at) };
    const log = await readAsEvidence(options, key);
    const known = log?.alertStarts.filter((start) => left.has(start)) ?? [];
    const isOver = at < generation || observed.is === "resolved" || observed.is === "gone";
    if (isOver && known.length > 0) found ??= log;
    if (!isOver && known.length === left.size) return undefined;
    for (const start of isOver ? known : []) left.delete(start);
  }
  if (left.size > 0 || found?.created === undefined) return undefined;
  return (await readDeclared(options, found)) ?? { id: found.created.serviceId };
}

export function describeOver(incident: Incident): string {
  return `already over ${incident.id}  ${incidentFacts(incident).name ?? ""}: it had this start time of the alert`;
}

/** Undefined for a log that cannot be trusted, which says nothing about an alert. */
async function readAsEvidence({ journal }: DeliveryOptions, key: OperationKey) {
  try {
    return await journal.read(key);
  } catch (error) {
    if (error instanceof Failure && !error.retryable) return undefined;
    throw error;
  }
}

/** Compares the start times of the alert with those in the log of the open incident. */
export async function compareStarts(
  options: DeliveryOptions,
  id: string,
): Promise<Pick<DedupResult, "isRepeated" | "noteStarts">> {
  const { alertStarts = [], journal, service } = options;
  if (alertStarts.length === 0) return {};
  const key = { ...service, id };
  const unknownIn = (log: OperationLog) => alertStarts.filter((start) => !log.alertStarts.includes(start));
  if (unknownIn(await journal.read(key)).length === 0) return { isRepeated: true };
  return {
    async noteStarts() {
      for (let log = await journal.read(key); log.created !== undefined; ) {
        const unknown = unknownIn(log);
        if (unknown.length === 0) return;
        const event = { type: "fired", at: timestamp(options), alertStarts: unknown } as const;
        ({ log } = await journal.append(log, event));
      }
    },
  };
}

/**
 * The newest incident of the key, unless it is closed. `over`: the start times of the alert are of an earlier one, so
 * that its end is late. Throws a `Failure` where that cannot be read.
 */
export async function findUnclosed(
  options: DeliveryOptions,
  text: string,
): Promise<{ readonly id: string; readonly open?: Incident; readonly over?: Incident } | undefined> {
  const newest = await findNewest(options, text);
  if (newest === undefined) return undefined;
  const id = idForGeneration(options.service, text, newest.generation);
  if (newest.observed.is === "open") {
    const over = await findOver(options, text, newest);
    return { id, open: newest.observed.incident, ...(over && { over }) };
  }
  return newest.observed.is === "unsettled" ? { id } : undefined;
}

/**
 * The newest generation that exists; undefined for a new key. A generation is only declared after the one before it,
 * so that it is found in a logarithmic number of reads.
 */
export async function findNewest(
  options: DeliveryOptions,
  text: string,
): Promise<{ readonly generation: number; readonly observed: Observation } | undefined> {
  const observe = (generation: number) =>
    observeIncident(options, { ...options.service, id: idForGeneration(options.service, text, generation) });
  const first = await observe(0);
  if (first === undefined) return undefined;
  let newest = { generation: 0, observed: first };
  let missing = 1;
  for (let observed = await observe(missing); observed !== undefined; observed = await observe(missing)) {
    if (missing >= highestGeneration) throw endlessFailure(options);
    newest = { generation: missing, observed };
    missing *= 2;
  }
  while (missing - newest.generation > 1) {
    const middle = Math.floor((newest.generation + missing) / 2);
    const observed = await observe(middle);
    if (observed === undefined) missing = middle;
    else newest = { generation: middle, observed };
  }
  return newest;
}

function endlessFailure({ client }: DeliveryOptions): Failure {
  const { baseUrl } = client.settings;
  return new Failure("usage", `${baseUrl.value} shows an incident for every id of the dedup key`, {
    hint: `check the base URL from ${baseUrl.origin}: a mock or another server may answer there; nothing was sent`,
  });
}

/** Undefined where neither the journal nor the service knows it. */
async function observeIncident(
  options: DeliveryOptions,
  key: OperationKey,
): Promise<Observation | undefined> {
  const { client, clientIds, journal } = options;
  const log = await journal.read(key);
  if (log.uncertain !== undefined) return { is: "unsettled" };
  if (log.created === undefined && !canBeFound(clientIds.current())) return undefined;
  const incident = await (log.created ? readDeclared(options, log) : client.findIncident(key.id));
  if (incident === undefined) return log.created === undefined ? undefined : { is: "gone" };
  return isResolved(incident) ? { is: "resolved" } : { is: "open", incident };
}
