// The creates of this machine whose outcome is not known, for a command that has read incidents. A shared journal is not
// read for that: it would delay every answer.
import type { Connection } from "../../../api/connect.ts";
import { withUnsettledCreate } from "../../../delivery/failures.ts";
import { openDelivery } from "../../../delivery/open-delivery.ts";
import { Failure } from "../../../failure.ts";
import type { Incident } from "../../../incident/wire.ts";
import { unsettled } from "../../../journal/model.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import type { GlobalFlags } from "../../../kit/global-flags.ts";

/** Warns of each incident whose create is unsettled. Returns the failure with that of `missing`, if there is one. */
export async function tellUnsettled(
  context: RunContext,
  global: GlobalFlags,
  connection: Connection,
  {
    failure,
    incidents,
    missing,
  }: {
    readonly incidents: readonly Incident[];
    readonly failure?: Failure | undefined;
    readonly missing?: string | undefined;
  },
): Promise<Failure | undefined> {
  if (connection.journal.location.value.kind !== "folder") return undefined;
  try {
    const { delivery } = await openDelivery({ ...context, warn: () => undefined }, connection, global);
    for (const { answeredIds, change, key } of unsettled(await delivery.journal.model(delivery.service))) {
      if (change !== undefined) continue;
      const found = incidents.find(({ id }) =>
        [key.id, ...answeredIds].some((each) => each.toLowerCase() === id.toLowerCase()),
      );
      if (found === undefined) continue;
      context.warn(
        `the outcome of the create of ${found.id} is not known here: incident journal settle ${key.id} records that it exists`,
      );
    }
    return failure?.kind === "missing" && missing !== undefined
      ? await withUnsettledCreate(failure, delivery, missing)
      : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
