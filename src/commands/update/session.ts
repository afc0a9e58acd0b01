// The service and the incident of a run that changes one: the connection, and the incident by its id or the text of its key.
import { type Connection, connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { findNewest } from "../../delivery/batch/dedup-key.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { uncertainFailure } from "../../delivery/failures.ts";
import { idForText } from "../../delivery/incident-id.ts";
import { type DeliveryFlags, openDelivery } from "../../delivery/open-delivery.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { advise, argv } from "../../text/advice.ts";
import { readIds } from "../shared/incident-ids.ts";

export type Session = Awaited<ReturnType<typeof openSession>>;

export async function openSession(
  context: RunContext,
  global: GlobalFlags,
  flags: DeliveryFlags & { readonly confirm?: string | undefined },
) {
  const connection = await connect(context, { ...global, readsDocument: true });
  const delivery = await openDelivery(context, connection, { ...global, ...flags });
  return sessionOf(context, connection, { ...delivery, confirmed: flags.confirm });
}

/** Throws a `Failure` "unavailable" where the service's document cannot be read. */
export async function sessionOf(context: RunContext, { client }: Connection, delivery: DeliveryOptions) {
  const { settings } = client;
  const known = await operationsOf(context, settings);
  // A document that cannot be read does not say that it lacks the operation.
  if (!known.isKnown)
    throw known.failure.with({
      kind: "unavailable",
      message: `it is not known whether the service takes updates: ${known.failure.message}`,
      hint: advise`nothing was sent; ${known.failure.details.hint}`,
    });
  return { client, settings, operations: known.operations, delivery };
}

export interface Target {
  readonly operand: string | undefined;
  readonly key: string | undefined;
  readonly dedupKey: string | undefined;
}

/** Throws a `Failure` "usage" for more than one way to name the incident, and for none. */
export function checkTarget({ dedupKey, key, operand }: Target, asks: boolean): void {
  const given = [operand, key, dedupKey].filter((each) => each !== undefined);
  if (given.length > 1)
    throw new Failure("usage", "the incident is named twice", {
      hint: "give one of its id, --key and --dedup-key",
    });
  if (given.some((text) => text.trim() === ""))
    throw new Failure("usage", "the name of the incident is empty", {
      hint: "give its id, --key or --dedup-key",
    });
  readIds(operand === undefined ? [] : [operand]);
  if (given.length === 0 && !asks)
    throw new Failure("usage", "no incident was named", {
      hint: advise`give its id, --key or --dedup-key; ${argv`incident journal list --open`} shows those from here`,
    });
}

/** The service's own id. Throws a `Failure`. */
export async function findIncident(
  { delivery }: Session,
  { dedupKey, key, operand = "" }: Target,
): Promise<string> {
  if (key !== undefined) return ownId(delivery, idForText(delivery.service, key));
  if (dedupKey !== undefined) return newestOf(delivery, dedupKey);
  const [id = ""] = readIds([operand]);
  return ownId(delivery, id.toLowerCase());
}

/** The id at the service of an incident that was sent from here with `id`; else the id itself. */
async function ownId({ journal, service }: DeliveryOptions, id: string): Promise<string> {
  const { change, created } = await journal.read({ ...service, id });
  return (change === undefined ? created?.serviceId : undefined) ?? id;
}

/** The newest incident of a dedup key, open or not. Throws a `Failure` where there is none. */
async function newestOf(delivery: DeliveryOptions, text: string): Promise<string> {
  const newest = await findNewest(delivery, text);
  if (newest === undefined || newest.observed.is === "gone")
    throw new Failure("missing", `no incident was declared with the dedup key "${text}"`, {
      hint: "check the key and the account; nothing was sent",
    });
  const { log, observed } = newest;
  if (observed.is === "unsettled") throw uncertainFailure(delivery, log, undefined);
  return observed.is === "open" ? observed.incident.id : (log.created?.serviceId ?? log.key.id);
}
