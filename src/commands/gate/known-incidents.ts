// The incidents that the journal, a folder and the list of the service know, and whether each is open: for `incident gate`.
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { judgeRead } from "../../delivery/gone.ts";
import { Failure } from "../../failure.ts";
import { type Incident, isResolved } from "../../incident/wire.ts";
import type { OperationLog, ServiceKey } from "../../journal/events.ts";
import { type OperationList, operationName } from "../../journal/journal.ts";
import { type Filter, matters } from "../shared/incident-filter.ts";

export interface KnownIncident {
  readonly id: string;
  /** Undefined where only an unreadable entry of the journal knows it. */
  readonly name: string | undefined;
  /** The name of its operation. */
  readonly operation: string;
  /**
   * When it was declared or changed, or last tried: an ISO date-time, UTC; empty where the journal does not know it. The
   * first event can be much older, of a create that was refused then.
   */
  readonly at: string;
  /** Of its create, else of its newest change; undefined where the journal has neither. */
  readonly log?: OperationLog;
}

export interface UnknownIncident extends Pick<KnownIncident, "id" | "name"> {
  readonly problem: string;
  /** The operation to settle if it was deleted: the service answered with 404, and the journal knows it. */
  readonly hidden?: string;
}

/**
 * `other`: it is open, and the filter leaves it out. `unsettled`: its create has no known outcome, and the service does
 * not show it. `not-shown`: the id of a file, which the service may have replaced.
 */
export type Observation =
  | { readonly is: "resolved" | "gone" | "other" }
  | { readonly is: "open"; readonly incident: Incident }
  | { readonly is: "not-shown" | "unknown" | "unsettled"; readonly incident: UnknownIncident };

/** The incidents of one service and account that may exist, the newest first, with one entry for each log. */
export function incidentsIn(
  logs: readonly OperationLog[],
  { account, baseUrl }: ServiceKey,
): readonly KnownIncident[] {
  const known = logs.toReversed().flatMap((log) => {
    const { change, created, key, name, uncertain } = log;
    if (key.baseUrl !== baseUrl || key.account !== account) return [];
    if (created === undefined && uncertain === undefined) return [];
    const at = created?.at ?? log.events.at(-1)?.at ?? "";
    const id = change?.incidentId ?? created?.serviceId ?? key.id;
    return [{ id, name, operation: operationName(key), at, log }];
  });
  return known.sort((one, other) => other.at.localeCompare(one.at));
}

/** The operations of other services and accounts. */
export function elsewhere(
  { changes, logs }: OperationList,
  { account, baseUrl }: ServiceKey,
): readonly string[] {
  const others = [...logs, ...changes].filter(
    ({ key }) => key.baseUrl !== baseUrl || key.account !== account,
  );
  return others.map(({ key }) => operationName(key));
}

/** Groups by the id of the incident, in lower case. */
export function byId(known: readonly KnownIncident[]): ReadonlyMap<string, readonly KnownIncident[]> {
  const groups = new Map<string, KnownIncident[]>();
  for (const each of known) {
    const id = each.id.toLowerCase();
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  return groups;
}

/**
 * Reads one incident; undefined where the command was stopped first. Throws the `Failure` of a key that is not accepted,
 * which every other read would get as well.
 */
export async function observe(
  delivery: DeliveryOptions,
  { id, log, name }: KnownIncident,
  { filter, keepsIds }: { readonly filter: Filter; readonly keepsIds: boolean },
): Promise<Observation | undefined> {
  const unknown = (problem: string, more = {}) =>
    ({ is: "unknown", incident: { id, name, problem, ...more } }) as const;
  try {
    const incident = await delivery.client.findIncident(id);
    if (incident === undefined) {
      if (log === undefined)
        return keepsIds ? { is: "gone" } : { is: "not-shown", incident: { id, name, problem: replaced } };
      if (log.created === undefined && log.change === undefined)
        return { is: "unsettled", incident: { id, name, problem: "its create has no known outcome" } };
    }
    const judged = log?.created === undefined ? "found" : await judgeRead(delivery, log, incident);
    if (incident === undefined && judged === "gone") return { is: "gone" };
    if (incident === undefined) {
      const [done, hidden = id] = log?.change === undefined ? ["declared"] : ["changed", log.key.id];
      return unknown(
        `it was ${done}, and the service does not show it; if it was deleted, run incident journal settle ${hidden} --not-created`,
        { hidden },
      );
    }
    return judge(incident, filter);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    if (error.kind === "interrupted" || error.kind === "terminated" || error.kind === "timeout")
      return undefined;
    return unknown(error.message);
  }
}

const replaced =
  "the service does not show this id of a file, and may have given its incident another; where it keeps ids, state clientIds: honoured";

/** An incident counts as open unless it says that it is resolved. */
export function judge(incident: Incident, filter: Filter): Observation {
  if (isResolved(incident)) return { is: "resolved" };
  return matters(incident, filter) ? { is: "open", incident } : { is: "other" };
}
