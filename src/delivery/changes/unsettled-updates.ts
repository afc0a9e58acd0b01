// Before an alert or a person posts to an incident: its updates from here without a known outcome, which may still appear.
import { describeOperation } from "../delivery-failures.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { readUnsettledUpdates, sentAt } from "../unsettled.ts";
import type { PostRequest } from "./post-once.ts";

/**
 * Reads each of them back that may have ended the incident of an alert, or that its rule has posted; false where there
 * is none. Throws a `Failure` "uncertain" where one is not found.
 */
export async function settleEnds(options: DeliveryOptions, incidentId: string): Promise<boolean> {
  const ends = (await readUnsettledUpdates(options, incidentId)).filter(
    ({ change }) => change?.kind === "update" && (change.status === "RESOLVED" || change.isForAlert),
  );
  if (ends.length === 0) return false;
  const { lookAgain } = await import("../settle-by-person.ts");
  for (const log of ends) await lookAgain(options, log);
  return true;
}

/** Warns of the other ones before an update is posted: one that appears later becomes the last. */
export async function warnOfOtherUpdates(
  options: DeliveryOptions,
  { incident, log: own }: Pick<PostRequest, "incident" | "log">,
): Promise<void> {
  for (const log of await readUnsettledUpdates(options, incident.id))
    if (log.key.id !== own?.key.id)
      options.reporter.warn(
        `${describeOperation(log)}, sent at ${sentAt(log)}, may still appear after this one: see incident journal show ${log.key.id}`,
      );
}
