// Whether an incident that was declared from here is gone: neither its id nor a complete list of the service shows it. A
// cache or a replica may be behind, so nothing is gone soon after it was declared.
import { Failure } from "../failure.ts";
import type { Incident } from "../incident/wire.ts";
import type { OperationLog } from "../journal/events.ts";
import { advise, argv } from "../text/advice.ts";
import { toSeconds } from "../text/date-times.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** The longest time, in milliseconds, that a cache or a replica is taken to be behind. */
const longestLag = 5 * 60_000;

/** The most incidents that a list is read for. */
const mostListed = 1000;

/** Whether an answer may not show yet what was sent at `at`, an ISO date-time. */
export function mayBeBehind(at: string, { clock }: Pick<DeliveryOptions["system"], "clock">): boolean {
  return clock.now() - Date.parse(at) < longestLag;
}

/**
 * The incident that `log` knows as declared: as the service shows it, else as the journal knows it, with a warning.
 * Undefined where it is gone. Throws the `Failure` of the read, and one where nothing proves that it is gone.
 */
export async function readDeclared(
  options: DeliveryOptions,
  log: OperationLog,
): Promise<Incident | undefined> {
  const { client, reporter, system } = options;
  const { at, incident, serviceId } = log.created as NonNullable<OperationLog["created"]>;
  const found = await client.findIncident(serviceId);
  if (found !== undefined) return found;
  const problem = `the service does not show ${serviceId}, which was declared from here at ${toSeconds(at)}`;
  if (mayBeBehind(at, system)) {
    reporter.warn(`${problem}: a cache or a replica may be behind, so it counts as declared`);
    const { content, name } = log;
    return incident ?? { ...content?.body, ...(name !== undefined && { name }), id: serviceId };
  }
  const list = await options.list?.();
  const listed = list && (await client.listIncidents(list, { most: mostListed, sharesConnection: true }));
  const shown = listed?.entries.find(({ id }) => id.toLowerCase() === serviceId.toLowerCase());
  if (shown !== undefined || listed?.isComplete) return shown;
  throw new Failure("missing", `${problem}, and no complete list says that it is gone`, {
    hint: advise`nothing was sent; if it was deleted, ${argv`incident journal settle ${serviceId} --not-created --yes`} says so`,
  });
}
