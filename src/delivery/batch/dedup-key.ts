// `--dedup-key`: one open incident for a key. The ids of a key are numbered by generation; the newest generation that
// exists answers while it is open, and the next one is declared once it is resolved.
import { Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import type { OperationKey } from "../../journal/events.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { readDeclared } from "../gone.ts";
import { idForGeneration } from "../incident-id.ts";
import { type BatchOptions, type BatchResult, createAll } from "./batch.ts";
import { mayHaveRest } from "./rest-of-updates.ts";

export interface DedupResult extends BatchResult {
  /** Undefined where the create failed. */
  readonly outcome?: "declared" | "open";
  /** The operation before it, whose incident was read as resolved. */
  readonly resolved?: OperationKey;
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

/** Declares the definition, unless an incident of the key is open. Throws a `Failure` where that cannot be read. */
export async function createUnlessOpen(
  options: BatchOptions,
  definition: Definition,
  text: string,
): Promise<DedupResult> {
  const { reporter, service } = options;
  for (let round = 0; round < mostRounds; round += 1) {
    const newest = await findNewest(options, text);
    const isOpen = newest?.observed.is === "open";
    const openId = idForGeneration(service, text, newest?.generation ?? 0);
    if (isOpen && (await mayHaveRest(options, definition, openId))) {
      const rest = await createAll({ ...options, acceptsAnyContent: true }, [{ ...definition, id: openId }]);
      return { ...rest, outcome: "open" };
    }
    if (newest?.observed.is === "open") {
      const { incident } = newest.observed;
      reporter.info(`already open ${incident.id}  ${incidentFacts(incident).name ?? definition.name}`);
      const acknowledge = async () => undefined;
      return { incidents: [incident], how: ["found"], outcome: "open", acknowledge };
    }
    const generation =
      newest === undefined ? 0 : newest.generation + (newest.observed.is === "unsettled" ? 0 : 1);
    const id = idForGeneration(service, text, generation);
    // The text of an alert differs from run to run, and another run may have declared this generation meanwhile.
    const result = await createAll({ ...options, acceptsAnyContent: true }, [{ ...definition, id }]);
    const [incident] = result.incidents;
    if (incident === undefined) return result;
    if (result.how[0] === "declared") {
      if (newest?.observed.is !== "resolved") return { ...result, outcome: "declared" };
      const resolved = { ...service, id: idForGeneration(service, text, newest.generation) };
      return { ...result, outcome: "declared", resolved };
    }
    if (!isResolved(incident)) return { ...result, outcome: "open" };
  }
  throw new Failure(
    "unavailable",
    `${mostRounds} incidents of the dedup key were missing, and resolved when they were looked for again`,
    { hint: "nothing was sent; run it again, or look at the status page if it happens again" },
  );
}

/** The newest incident of the key, unless it is closed. Throws a `Failure` where that cannot be read. */
export async function findUnclosed(
  options: DeliveryOptions,
  text: string,
): Promise<{ readonly id: string; readonly open?: Incident } | undefined> {
  const newest = await findNewest(options, text);
  if (newest === undefined) return undefined;
  const id = idForGeneration(options.service, text, newest.generation);
  if (newest.observed.is === "open") return { id, open: newest.observed.incident };
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
