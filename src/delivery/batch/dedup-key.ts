// `--dedup-key`: one open incident for each key, which only the journal knows. The id of an incident is made of the key and a
// generation: the newest generation in the journal answers while it is open, and the next one is declared once it is resolved.
import { Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { OperationLog, ServiceKey } from "../../journal/events.ts";
import { type Model, operationIn, unsettledUpdates } from "../../journal/model.ts";
import { checkShown, readDeclared } from "../creates/declared.ts";
import { type DeliveryOptions, timestamp } from "../delivery-options.ts";
import { uncertainFailure } from "../failures.ts";
import { idForText } from "../incident-id.ts";
import { type BatchResult, createAll } from "./batch.ts";

export interface DedupResult extends BatchResult {
  /** Undefined where the create failed. `over`: the incident of these start times of the alert is over. */
  readonly outcome?: "declared" | "open" | "over";
}

/** The most generations that only the service has, as resolved incidents. */
const mostRounds = 100;

/** Declares the definition, unless an incident of the key is open, or its alert is late (`over`). Throws a `Failure`. */
export async function createUnlessOpen(
  options: DeliveryOptions,
  definition: Definition,
  text: string,
): Promise<DedupResult> {
  const { reporter, service } = options;
  for (let round = 0; round < mostRounds; round += 1) {
    const newest = await findNewest(options, text);
    const { logs = [], over } = newest ?? {};
    if (newest !== undefined && over !== undefined) {
      reporter.info(describeOver(over));
      return { delivered: [{ incident: over, log: newest.log, how: "found" }], outcome: "over" };
    }
    if (newest?.open !== undefined) {
      const { log, open: incident } = newest;
      const { id } = log.key;
      await checkEnds(options, incident.id);
      // An earlier run may have ended before it posted the other updates.
      const hasRest = definition.incidentUpdates.length > 1;
      if (!hasRest)
        reporter.info(`already open ${incident.id}  ${incidentFacts(incident).name ?? definition.name}`);
      const result = hasRest
        ? await createAll({ ...options, acceptsAnyContent: true }, [{ ...definition, id }])
        : { delivered: [{ incident, log, how: "found" } as const] };
      await noteStarts(options, id, logs);
      return { ...result, outcome: "open" };
    }
    const id = idForGeneration(service, text, newest?.next ?? 0);
    const alertStarts = newStarts(options, logs);
    // Another run may have declared this generation meanwhile.
    const result = await createAll({ ...options, acceptsAnyContent: true, alertStarts }, [
      { ...definition, id },
    ]);
    const [one] = result.delivered;
    if (one === undefined) return result;
    if (one.how === "declared" || one.how === "unsent") return { ...result, outcome: "declared" };
    if (isResolved(one.incident)) continue;
    await noteStarts(options, id, logs);
    return { ...result, outcome: "open" };
  }
  const message = `the journal did not have ${mostRounds} incidents of the dedup key, which the service shows as resolved`;
  throw new Failure("unavailable", message, {
    hint: "nothing was sent; run it again: it goes on with the next one",
  });
}

export function idForGeneration(service: ServiceKey, text: string, generation: number): string {
  return idForText(service, JSON.stringify(["dedup-key", text, generation]));
}

/** Throws a `Failure` where the outcome of a RESOLVED is not known. */
async function checkEnds(options: DeliveryOptions, incidentId: string): Promise<void> {
  const end = unsettledUpdates(await options.journal.model(options.service), incidentId).find(
    ({ change }) => change?.kind === "update" && change.status === "RESOLVED",
  );
  if (end !== undefined) throw uncertainFailure(options, end, undefined);
}

export function describeOver(incident: Incident): string {
  return `already over ${incident.id}  ${incidentFacts(incident).name ?? ""}: it had this start time of the alert`;
}

/** The start times of the alert that none of these incidents has: a start time is of the incident that had it first. */
function newStarts({ alertStarts = [] }: DeliveryOptions, logs: readonly OperationLog[]): readonly string[] {
  return alertStarts.filter((start) => !logs.some((log) => log.alertGroups.flat().includes(start)));
}

/** Records the start times that no other incident of the key has, where one is new, or where they end. Throws a `Failure`. */
export async function noteStarts(
  options: DeliveryOptions,
  id: string,
  logs: readonly OperationLog[],
  { ends }: { readonly ends?: true } = {},
): Promise<void> {
  const key = { ...options.service, id };
  const log = await options.journal.read(key);
  const others = logs.filter((each) => each.key.id !== id);
  const alertStarts = newStarts(options, others);
  if (alertStarts.length === 0 || (!ends && newStarts(options, [...others, log]).length === 0)) return;
  const event = { type: "fired", at: timestamp(options), alertStarts, ...(ends && { ends }) } as const;
  const still = (model: Model) => operationIn(model, key).created !== undefined;
  await options.journal.append(log, event, still);
}

/**
 * The newest generation in the journal: its incident, unless that is gone or its outcome is not known, and the same where it is
 * `open`; and the number of the `next` generation. Undefined for a new key. Throws a `Failure`.
 */
export async function findNewest(options: DeliveryOptions, text: string) {
  const { journal, service } = options;
  const model = await journal.model(service);
  const logs: OperationLog[] = [];
  let next = 0;
  for (let generation = 0; ; generation += 1) {
    const log = operationIn(model, { ...service, id: idForGeneration(service, text, generation) });
    if (log.next === 0) break;
    // A generation that was settled as not created can have newer ones.
    if (log.created === undefined && log.uncertain === undefined) continue;
    logs.push(log);
    next = log.uncertain === undefined ? generation + 1 : generation;
  }
  const log = logs.at(-1);
  if (log === undefined) return undefined;
  const incident = log.uncertain === undefined ? await readDeclared(options, log) : undefined;
  const open = incident && !isResolved(incident) ? incident : undefined;
  if (open !== undefined) checkShown(options, model, open);
  const isOver = log.uncertain === undefined && open === undefined;
  /** For a late alert, whose start times are all of incidents that are over, the newest of these. */
  const findOver = async (): Promise<Incident | undefined> => {
    const { alertStarts = [] } = options;
    const has = ({ alertGroups }: OperationLog, start: string) => alertGroups.flat().includes(start);
    const isOfNewest = !isOver && alertStarts.every((start) => has(log, start));
    const over = logs.slice(0, isOver ? undefined : -1).reverse();
    if (isOfNewest || !alertStarts.every((start) => over.some((log) => has(log, start)))) return undefined;
    const found = over.find((log) => alertStarts.some((start) => has(log, start)));
    if (found?.created === undefined) return undefined;
    return (await readDeclared(options, found)) ?? { id: found.created.serviceId };
  };
  return { logs, log, next, incident, open, over: await findOver() };
}
