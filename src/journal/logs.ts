// The logs of a sequence in memory, and what its entries make of them. A snapshot has them all; there, an operation that
// is over, and that many others followed, keeps only what deciding needs. Pure.
import { fieldOf } from "../untrusted-data.ts";
import { operationPrefix, type StoredEvent, type StoredLog } from "./event-store.ts";
import type { OperationEvent, OperationKey, ServiceKey, Summary } from "./events.ts";
import { foldEvents, summarize } from "./fold.ts";

/** A log as memory has it. */
export interface Log extends StoredLog {
  readonly isUnsettled: boolean;
  /** Milliseconds since the epoch, by the clock of the writer of its first event. */
  readonly began: number;
}

/** A create that is over, as what its summary has: of ten thousand, nothing else can be read in a few milliseconds. */
type Packed = readonly [
  began: number,
  next: number,
  id: string,
  at: string,
  digest: string,
  createdAt: string,
  serviceId: string | 0,
  acknowledged: string | 0,
  name: string,
  severity: string,
  services: readonly string[],
];

export type Logs = Map<string, Log | Packed>;

/** What a snapshot says of the logs. All packed ones are of its service. */
export interface Snapshot {
  readonly service?: ServiceKey;
  readonly logs: readonly (readonly [name: string, log: Log | Packed])[];
}

/** The format of an event, and the first version that reads it. */
export const eventFormat = { formatVersion: 1, readBy: "0.2.0" } as const;

/** The newest operations that stay whole. */
const keptWhole = 200;

/** An operation stays whole for at least this long after its last event, in milliseconds. */
const settledFor = 60 * 60 * 1000;

/** The last events of a log that is no operation: claims that were confirmed are looked for among them. */
const keptClaims = 20;

export function takeSnapshot(logs: Logs, service: ServiceKey | undefined, now: number): Snapshot {
  const operations = [...logs.keys()].filter((name) => name.startsWith(operationPrefix));
  const old = new Set(operations.slice(0, -keptWhole));
  return {
    ...(service && { service }),
    logs: [...logs].map(([name, log]) => {
      if (isPacked(log)) return [name, log];
      if (!name.startsWith(operationPrefix)) return [name, lastOf(log)];
      return [name, old.has(name) ? foldOver(log, service, now) : log];
    }),
  };
}

function lastOf(log: Log): Log {
  const dropped = Math.max(0, log.events.length - keptClaims);
  return dropped === 0 ? log : { ...log, first: log.first + dropped, events: log.events.slice(dropped) };
}

/** What deciding needs of an operation that is over; else the operation as it is. */
function foldOver(log: Log, service: ServiceKey | undefined, now: number): Log | Packed {
  const { began, events, first, isUnsettled } = log;
  const key = events[0]?.key as OperationKey;
  const steps = events.map(({ event }) => event as OperationEvent);
  const at = steps.at(-1)?.at ?? "";
  const isRecent = !(now - Date.parse(at) > settledFor);
  // A confirmation is for one incident, for ever.
  const isConfirmed = steps.some((step) => step.type === "sending" && step.confirmed !== undefined);
  const summary =
    isUnsettled || isRecent || isConfirmed ? undefined : summarize(foldEvents(key, first, steps));
  if (summary === undefined) return log;
  const next = first + events.length;
  const {
    acknowledged,
    alertStarts,
    change,
    created,
    digest,
    name = "",
    services = [],
    severity = "",
  } = summary;
  const isOfService = key.baseUrl === service?.baseUrl && key.account === service.account;
  if (!isOfService || created === undefined || change !== undefined || alertStarts !== undefined)
    return { began, isUnsettled, first: next - 1, events: [summaryEvent(key, at, summary)] };
  const serviceId = created.serviceId === key.id ? 0 : created.serviceId;
  const { id } = key;
  return [
    began,
    next,
    id,
    at,
    digest,
    created.at,
    serviceId,
    acknowledged?.at ?? 0,
    name,
    severity,
    services,
  ];
}

function isPacked(log: Log | Packed): log is Packed {
  return Array.isArray(log);
}

function summaryEvent(key: OperationKey, at: string, summary: Summary): StoredEvent {
  return { writer: key.id, ...eventFormat, key, event: { type: "pruned", at, summary } };
}

/** The log with this name, whole. */
export function logOf(found: Log | Packed | undefined, service: ServiceKey | undefined): Log {
  if (found === undefined) return { first: 0, events: [], isUnsettled: false, began: 0 };
  if (!isPacked(found)) return found;
  const [began, next, id, at, digest, createdAt, serviceId, acknowledged, name, severity, services] = found;
  const summary: Summary = {
    state: "created",
    digest,
    created: { at: createdAt, serviceId: serviceId === 0 ? id : serviceId },
    ...(name !== "" && { name }),
    ...(severity !== "" && { severity }),
    ...(services.length > 0 && { services }),
    ...(acknowledged !== 0 && { acknowledged: { at: acknowledged } }),
  };
  const key = { ...(service as ServiceKey), id };
  return { first: next - 1, events: [summaryEvent(key, at, summary)], isUnsettled: false, began };
}

/** Whether the operation has this id (lower case), the one that was sent or the service's own. */
export function hasId(log: Log | Packed, id: string): boolean {
  if (isPacked(log)) return log[2] === id || String(log[6]).toLowerCase() === id;
  return log.events.some(({ event, key }) => {
    const own =
      fieldOf(event, "serviceId") ?? fieldOf(fieldOf(fieldOf(event, "summary"), "created"), "serviceId");
    return fieldOf(key, "id") === id || (typeof own === "string" && own.toLowerCase() === id);
  });
}

export function isOpen(log: Log | Packed): boolean {
  return !isPacked(log) && log.isUnsettled;
}

export function nextOf(log: Log | Packed | undefined): number {
  if (log === undefined) return 0;
  return isPacked(log) ? log[1] : log.first + log.events.length;
}

export function beganAt(log: Log | Packed): number {
  return isPacked(log) ? log[0] : log.began;
}
