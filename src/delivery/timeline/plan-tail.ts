// Which updates of a definition are still to be posted: those after the last one that the journal or the service has.
import type { KnownOperations } from "../../api/known-operations.ts";
import type { Failure } from "../../failure.ts";
import type { Difference } from "../../incident/comparison.ts";
import type { Update } from "../../incident/definition.ts";
import { occurrenceOf, planTimeline } from "../../incident/timeline.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import { updateKey } from "../changes/update-identity.ts";
import { openUpdateMemory } from "../changes/update-memory.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { timelineFailure, unpublishedFailure } from "./timeline-failures.ts";

export interface TimelineOptions extends DeliveryOptions {
  /** How the service takes an update and an edit; read when it is needed. */
  readonly operations: () => Promise<KnownOperations>;
  /** `--reopen`: posts after a RESOLVED that the definition does not have. */
  readonly reopens: boolean;
}

export interface Tail {
  /** Places in the definition, in their order: those to post, and those before them whose outcome is not known. */
  readonly updates: readonly number[];
  /** The number of those to post. */
  readonly count: number;
  /** Updates that the service shows in other words. */
  readonly reworded: readonly Difference[];
  /** Why nothing is posted. */
  readonly failure?: Failure;
  /** A problem that a person has to correct, although the rest is posted. */
  readonly problem?: Failure;
  /** The logs of the updates that were not sent with the create, by their places. */
  readonly logs: ReadonlyMap<number, OperationLog>;
}

/** `sent`: the number of updates that the create had, where the journal knows that. */
export async function planTail(
  options: TimelineOptions,
  incident: Incident,
  file: readonly Update[],
  sent: number,
): Promise<Tail> {
  const logs = await readUpdateLogs(options, incident.id, file, sent);
  const posted = new Map<number, string | undefined>();
  for (let at = 0; at < sent; at += 1) posted.set(at, undefined);
  for (const [at, { created }] of logs) if (created !== undefined) posted.set(at, created.serviceId);
  const { status: liveStatus, updates: shown } = incidentFacts(incident);
  const isShown = Array.isArray(incident.incidentUpdates);
  // A service that shows no updates does not say that there are none.
  if (!isShown && posted.size === 0) return { updates: [], count: 0, reworded: [], logs };
  const order = openUpdateMemory(options.notes, options.service).order();
  const planned = planTimeline({ file, shown, posted, liveStatus, order });
  const { problem, reworded, tail, unpublished } = planned;
  const isForbidden = problem !== undefined && !(problem === "resolved" && options.reopens);
  if (isForbidden) {
    const failure = timelineFailure(options, incident, problem, tail.length);
    return { updates: [], count: 0, reworded: [], failure, logs };
  }
  const isOpen = (at: number) => logs.get(at)?.uncertain !== undefined;
  const [first = file.length] = tail;
  const unsettled = [...file.keys()].filter(
    (at) => at < first && isOpen(at) && !reworded.includes(at) && !unpublished.includes(at),
  );
  return {
    updates: [...unsettled, ...tail],
    count: tail.length,
    reworded: isShown ? describeReworded(reworded, file, shown) : [],
    ...(isShown && unpublished.length > 0 && { problem: unpublishedFailure(options, incident, unpublished) }),
    logs,
  };
}

/** The text that is shown is known to be that of the update where there is one of each. */
function describeReworded(
  places: readonly number[],
  file: readonly Update[],
  shown: readonly UpdateFacts[],
): readonly Difference[] {
  const others = shown.filter((update) => !file.some((each) => isSameUpdate(each, update)));
  const found =
    places.length === 1 && others.length === 1 ? (others[0]?.description ?? "other words") : "other words";
  return places.map((at) => {
    const { description: wanted } = file[at] as Update;
    return { field: `incidentUpdates[${at}].description`, wanted, found };
  });
}

/** The updates from the place `sent` on, as the journal has them. */
export async function readUpdateLogs(
  { journal, service }: Pick<DeliveryOptions, "journal" | "service">,
  incidentId: string,
  file: readonly Update[],
  sent: number,
): Promise<ReadonlyMap<number, OperationLog>> {
  const logs = new Map<number, OperationLog>();
  for (const [at, update] of file.entries()) {
    if (at < sent) continue;
    logs.set(at, await journal.read(updateKey(service, incidentId, update, occurrenceOf(file, at))));
  }
  return logs;
}
