// The service of a run that changes incidents, and the incident by its id or the text of its key.
import { findNewest } from "../../delivery/batch/dedup-key.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { uncertainFailure } from "../../delivery/failures.ts";
import { idForText } from "../../delivery/incident-id.ts";
import { type DeliveryFlags, openDelivery } from "../../delivery/open-delivery.ts";
import type { Operations } from "../../document/contract.ts";
import { Failure } from "../../failure.ts";
import { incidentIdOf } from "../../journal/events.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { advise, argv } from "../../text/advice.ts";
import { readIds } from "../shared/incident-ids.ts";

export interface Session {
  readonly delivery: DeliveryOptions;
  readonly operations: Operations;
}

export async function openSession(
  context: RunContext,
  global: GlobalFlags,
  flags: DeliveryFlags & { readonly confirm?: string | undefined },
): Promise<Session> {
  const delivery = await openDelivery(context, { ...global, ...flags, readsDocument: true });
  return sessionOf({ ...delivery, confirmed: flags.confirm });
}

/** Throws a `Failure` "unavailable" where the service's document cannot be read. */
export async function sessionOf(delivery: DeliveryOptions): Promise<Session> {
  const known = await delivery.operations();
  // A document that cannot be read does not say that it lacks the operation.
  if (!known.isKnown)
    throw known.failure.with({
      kind: "unavailable",
      message: `it is not known whether the service takes updates: ${known.failure.message}`,
      hint: `nothing was sent; ${known.failure.hint}`,
    });
  return { delivery, operations: known.operations };
}

type Keys = Pick<DeliveryFlags, "dedupKey" | "key">;

/** Throws a `Failure` "usage" for more than one way to name an incident, and for none. */
export function checkTarget(operands: readonly string[], { dedupKey, key }: Keys, asks: boolean): void {
  const keys = [key, dedupKey].filter((each) => each !== undefined);
  if (keys.length + Math.min(operands.length, 1) > 1)
    throw new Failure("usage", "the incident is named twice", {
      hint: "give one of its id, --key and --dedup-key",
    });
  if (keys.some((text) => text.trim() === "") || (keys.length + operands.length === 0 && !asks))
    throw new Failure("usage", "no incident was named", {
      hint: advise`give its id, --key or --dedup-key; ${argv`incident journal list --open`} shows those from here`,
    });
  readIds(operands);
}

/** The service's own id. Throws a `Failure`. */
export async function findIncident(
  { delivery }: Session,
  operand = "",
  { dedupKey, key }: Keys,
): Promise<string> {
  const { journal, service } = delivery;
  if (dedupKey !== undefined) return newestOf(delivery, dedupKey);
  const [named = ""] = key === undefined ? readIds([operand]) : [idForText(service, key)];
  return incidentIdOf(await journal.read({ ...service, id: named }));
}

/** The newest incident of a dedup key, open or not. Throws a `Failure` where there is none. */
async function newestOf(delivery: DeliveryOptions, text: string): Promise<string> {
  const newest = await findNewest(delivery, text);
  if (newest?.log.uncertain !== undefined) throw uncertainFailure(delivery, newest.log, undefined);
  if (newest?.incident === undefined)
    throw new Failure("missing", `no incident was declared with the dedup key "${text}"`, {
      hint: "check the key and the account; nothing was sent",
    });
  return newest.incident.id;
}
