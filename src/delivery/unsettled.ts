// The operations whose outcome is not known, as the journal has them now.
import { Failure } from "../failure.ts";
import type { OperationLog } from "../journal/events.ts";
import type { OperationList } from "../journal/journal.ts";
import { toSeconds } from "../text/date-times.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/**
 * The operations of this service with an unknown outcome, other than `own`, also where the sender may still be at work;
 * and the entries that cannot be read. Each of those may be such a create.
 */
export async function readUnsettled(
  options: DeliveryOptions,
  own: ReadonlySet<string>,
): Promise<OperationList> {
  const { isShared, journal, reporter, service } = options;
  const isOther = ({ key }: OperationLog) =>
    !own.has(key.id) && key.baseUrl === service.baseUrl && key.account === service.account;
  try {
    const { broken, changes, logs } = await journal.unsettled();
    return { broken, changes: changes.filter(isOther), logs: logs.filter(isOther) };
  } catch (error) {
    // A shared journal that cannot be reached stops the create anyway, after another wait.
    if (!(error instanceof Failure) || isShared) throw error;
    reporter.warn(error.message);
    return { broken: [], changes: [], logs: [] };
  }
}

/** The updates of an incident with an unknown outcome, the oldest first. `incidentId`: the service's own id. */
export async function readUnsettledUpdates(
  options: DeliveryOptions,
  incidentId: string,
): Promise<readonly OperationLog[]> {
  const { changes } = await readUnsettled(options, new Set());
  return changes.filter(
    ({ change }) => change?.kind === "update" && change.incidentId.toLowerCase() === incidentId.toLowerCase(),
  );
}

/** When an operation was sent whose outcome is not known. */
export function sentAt({ uncertain }: OperationLog): string {
  return toSeconds(uncertain?.at ?? "an unknown time");
}
