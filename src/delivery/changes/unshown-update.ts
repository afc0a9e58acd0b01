// Whether a read of an incident is behind what was posted to it from here: a cache or a replica may not show it yet.
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import { type Model, recent } from "../../journal/model.ts";
import { mayBeBehind } from "../creates/declared.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { timeOf } from "../failures.ts";
import { firstSending, isEqualTo } from "./update-identity.ts";

export function isPosted({ change, created }: OperationLog): boolean {
  return change?.kind === "update" && created !== undefined;
}

/** The updates that were posted from here to an incident, the newest first. `incidentId`: the service's own id. */
export function postedTo(model: Model, incidentId: string): readonly OperationLog[] {
  const id = incidentId.toLowerCase();
  return recent(model).filter((log) => isPosted(log) && log.change?.incidentId.toLowerCase() === id);
}

/**
 * The newest of the updates that were `posted` from here, where the incident should show it, and does not yet. It is shown by
 * its id, or by as many equal updates as there should be: a service may replace ids. `posted`: the newest first.
 */
export function unshownUpdate(
  incident: Incident,
  posted: readonly OperationLog[],
  system: DeliveryOptions["system"],
): OperationLog | undefined {
  const [newest] = posted.toSorted((one, other) => timeIn(other).localeCompare(timeIn(one)));
  if (newest === undefined || !mayBeBehind(timeIn(newest), system)) return undefined;
  const { status, updates } = incidentFacts(incident);
  const own = newest.change?.kind === "update" ? newest.change.status : undefined;
  // A service that shows no updates shows the status of the last one.
  if (!Array.isArray(incident.incidentUpdates))
    return (status ?? own) === (own ?? status) ? undefined : newest;
  const id = newest.created?.serviceId.toLowerCase();
  if (updates.some((each) => each.id?.toLowerCase() === id)) return undefined;
  const ofOthers = firstSending(newest)?.unclaimed ?? 0;
  const equal = posted.filter(({ digest }) => digest === newest.digest);
  const shown = updates.filter((each) => isEqualTo(newest, each));
  return shown.length >= ofOthers + equal.length ? undefined : newest;
}

const timeIn = ({ created }: OperationLog) => created?.at ?? "";

export function unshownFailure(options: Pick<DeliveryOptions, "system">, { created }: OperationLog): Failure {
  const at = timeOf(options, created?.at);
  return new Failure(
    "unavailable",
    `the service does not show the update that was posted from here at ${at}: a cache or a replica may be behind`,
    { hint: "nothing was sent; run it again in a few minutes", retryable: true },
  );
}
