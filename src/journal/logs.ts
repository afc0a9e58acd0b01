// The logs of a sequence in memory, and what its entries make of them. A snapshot has them all; there, an operation that
// is over, and that many others followed, keeps only what deciding needs. Pure.
import { fieldOf } from "../untrusted-data.ts";
import { operationPrefix, type StoredEvent, type StoredLog } from "./event-store.ts";
import type { OperationEvent, OperationKey, Parts, ServiceKey, Summary } from "./events.ts";
import { foldEvents, summarize } from "./fold.ts";

/** A log as memory has it. */
export interface Log extends StoredLog {
  readonly isUnsettled: boolean;
  /** Milliseconds since the epoch, by the clock of the writer of its first event. */
  readonly began: number;
}

/**
 * A create that is over, or a claim, as one text: of ten thousand, nothing else is read in a few milliseconds. Its parts
 * stand between tabs.
 */
type Packed = string;

export type Logs = Map<string, Log | Packed>;

/** What a snapshot says of the logs. All packed ones are of its service. */
export interface Snapshot {
  readonly service?: ServiceKey;
  /** A name, its log, the next name, and so on. */
  readonly logs: readonly (string | Log)[];
}

/** The format of an event, and the first version that reads it. */
export const eventFormat = { formatVersion: 1, readBy: "0.2.0" } as const;

/** The newest operations that stay whole. */
const keptWhole = 200;

/** An operation stays whole for at least this long after its last event, in milliseconds. */
const settledFor = 60 * 60 * 1000;

/** The last events of a log of another kind. */
const keptEvents = 20;

export function takeSnapshot(logs: Logs, service: ServiceKey | undefined, now: number): Snapshot {
  const operations = [...logs.keys()].filter((name) => name.startsWith(operationPrefix));
  const old = new Set(operations.slice(0, -keptWhole));
  const shorten = (name: string, log: Log | Packed) => {
    if (isPacked(log)) return log;
    if (!name.startsWith(operationPrefix)) return foldOthers(log, service);
    return old.has(name) ? foldOver(log, service, now) : log;
  };
  return {
    ...(service && { service }),
    logs: [...logs].flatMap(([name, log]) => [name, shorten(name, log)]),
  };
}

export function logsOf({ logs }: Snapshot): Logs {
  const found: Logs = new Map();
  for (let at = 0; at < logs.length; at += 2) found.set(logs[at] as string, logs[at + 1] as Log | Packed);
  return found;
}

function isOfService(key: ServiceKey | undefined, service: ServiceKey | undefined): boolean {
  return key !== undefined && key.baseUrl === service?.baseUrl && key.account === service.account;
}

/** The last claim names the operation. Of a log without one, such as that of a doctor, the last events are kept. */
function foldOthers(log: Log, service: ServiceKey | undefined): Log | Packed {
  const { began, events, first } = log;
  const last = events.at(-1);
  const key = last?.claim as OperationKey | undefined;
  if (key !== undefined && isOfService(key, service))
    return ["claim", first + events.length, began, key.id, last?.writer].join("\t");
  const dropped = Math.max(0, events.length - keptEvents);
  return dropped === 0 ? log : { ...log, first: first + dropped, events: events.slice(dropped) };
}

/** What deciding needs of an operation that is over; else the operation as it is. */
function foldOver(log: Log, service: ServiceKey | undefined, now: number): Log | Packed {
  const { began, events, first, isUnsettled } = log;
  const key = events[0]?.key as OperationKey | undefined;
  const steps = events.map(({ event }) => event as OperationEvent);
  const at = steps.at(-1)?.at ?? "";
  const isRecent = !(now - Date.parse(at) > settledFor);
  // A confirmation is for one incident, for ever.
  const isConfirmed = steps.some((step) => step.type === "sending" && step.confirmed !== undefined);
  if (key === undefined || isUnsettled || isRecent || isConfirmed) return log;
  const summary = summarize(foldEvents(key, first, steps));
  if (summary === undefined) return log;
  const next = first + events.length;
  const { created, digest, name = "", parts, services = [], severity = "", ...more } = summary;
  const isPlain = created !== undefined && !more.change && !more.alertStarts && !more.altered;
  const texts = [digest, created?.at, created?.serviceId, severity, ...services];
  if (!isPlain || !isOfService(key, service) || texts.some((text) => /[\t,]/.test(text ?? "")))
    return { began, isUnsettled, first: next - 1, events: [summaryEvent(key, at, summary)] };
  const isOwn = created.serviceId === key.id;
  const ids = isOwn ? key.id : `${key.id},${created.serviceId}`;
  const digests = parts === undefined ? [] : [parts.name, parts.severity, parts.services, ...parts.updates];
  const columns = [ids, digest, created.at, severity, services.join(), digests.join(), name];
  return ["op", next, began, ...columns].join("\t");
}

function isPacked(log: Log | Packed): log is Packed {
  return typeof log === "string";
}

function parsePacked(packed: Packed) {
  const [kind, next, began, ids = "", ...rest] = packed.split("\t");
  const [id = "", serviceId = id] = ids.split(",");
  return { kind, next: Number(next), began: Number(began), id, serviceId, rest };
}

function summaryEvent(key: OperationKey, at: string, summary: Summary): StoredEvent {
  return { writer: key.id, ...eventFormat, key, event: { type: "pruned", at, summary } };
}

/** The log with this name, whole. */
export function logOf(found: Log | Packed | undefined, service: ServiceKey | undefined): Log {
  if (found === undefined) return { first: 0, events: [], isUnsettled: false, began: 0 };
  if (!isPacked(found)) return found;
  const { began, id, kind, next, rest, serviceId } = parsePacked(found);
  const key = { ...(service as ServiceKey), id };
  const log = (event: StoredEvent): Log => ({ first: next - 1, events: [event], isUnsettled: false, began });
  const [one = "", at = "", severity, services, digests, ...name] = rest;
  if (kind === "claim") return log({ writer: one, claim: key });
  const summary: Summary = {
    state: "created",
    digest: one,
    created: { at, serviceId },
    ...(name.join("\t") !== "" && { name: name.join("\t") }),
    ...(severity !== "" && { severity }),
    ...(services && { services: services.split(",") }),
    ...(digests && { parts: partsFrom(digests.split(",")) }),
  };
  return log(summaryEvent(key, at, summary));
}

function partsFrom([name = "", severity = "", services = "", ...updates]: readonly string[]): Parts {
  return { name, severity, services, updates };
}

/** Whether the operation has this id (lower case), the one that was sent or the service's own. */
export function hasId(log: Log | Packed, id: string): boolean {
  if (isPacked(log)) {
    if (!log.toLowerCase().includes(id)) return false;
    const { id: own, serviceId } = parsePacked(log);
    return own === id || serviceId.toLowerCase() === id;
  }
  // One that cannot be read may have any.
  if (log.events.length === 0) return true;
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
  return isPacked(log) ? parsePacked(log).next : log.first + log.events.length;
}

export function beganAt(log: Log | Packed): number {
  return isPacked(log) ? parsePacked(log).began : log.began;
}
