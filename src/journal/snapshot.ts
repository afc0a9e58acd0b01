// The operations of a model as one entry. An operation that is over, and that many others followed, keeps only what
// deciding needs; a plain create is one text. Pure.
import type { ClientIds } from "./client-ids.ts";
import type { Operation, OperationEvent, OperationKind, OperationLog, Parts, Summary } from "./events.ts";
import { foldEvents, summarize } from "./fold.ts";

/** A create that is over, as columns between tabs: of ten thousand, nothing else is read in a few milliseconds. */
export type Packed = string;

export interface Snapshot {
  /** An id, its operation, the next id, and so on. */
  readonly operations: readonly (string | Operation)[];
  readonly ids?: Readonly<Record<OperationKind, ClientIds>>;
}

/** The newest operations that stay whole. */
const keptWhole = 200;

/** An operation stays whole for at least this long after its last event, in milliseconds. */
const settledFor = 60 * 60 * 1000;

export function takeSnapshot(operations: ReadonlyMap<string, Operation | Packed>, now: number): Snapshot {
  const old = operations.size - keptWhole;
  const kept = [...operations].flatMap(([id, operation], index) => {
    const short = index < old && !isPacked(operation) ? shorten(id, operation, now) : operation;
    return short === undefined ? [] : [id, short];
  });
  return { operations: kept };
}

export function* parseOperations({ operations }: Snapshot): Generator<readonly [string, Operation | Packed]> {
  for (let at = 0; at < operations.length; at += 2)
    yield [operations[at] as string, operations[at + 1] as Operation | Packed];
}

export function isPacked(operation: Operation | Packed): operation is Packed {
  return typeof operation === "string";
}

/** What deciding needs of an operation that is over; undefined where nothing was sent for it. */
function shorten(id: string, operation: Operation, now: number): Operation | Packed | undefined {
  const { began, events, first } = operation;
  const at = events.at(-1)?.at ?? "";
  const isRecent = !(now - Date.parse(at) > settledFor);
  // A confirmation is for one incident, for ever.
  const isConfirmed = events.some((step) => step.type === "sending" && step.confirmed !== undefined);
  if (isRecent || isConfirmed) return operation;
  const log = foldEvents({ baseUrl: "", account: undefined, id }, first, events);
  if (log.state === "new") return undefined;
  const summary = summarize(log);
  if (summary === undefined) return operation;
  const event: OperationEvent = { type: "pruned", at, summary };
  return pack(log, summary, began) ?? { began, first: log.next - 1, events: [event] };
}

/** Undefined where it is no plain create. */
function pack({ key, next }: OperationLog, summary: Summary, began: number): Packed | undefined {
  const { claim, created, digest, name = "", parts, services = [], severity = "", ...more } = summary;
  if (created === undefined || more.change || more.alertStarts || more.altered) return undefined;
  const digests = parts === undefined ? [] : [parts.name, parts.severity, parts.services, ...parts.updates];
  const claimed = claim === undefined ? "" : `${claim.occurrence} ${claim.digest}`;
  const lists = [services, digests].map((each) => each.join());
  const columns = [key.id, created.serviceId, next, began, digest, created.at, severity, claimed, ...lists];
  const isSafe = [digest, created.serviceId, severity, ...services].every((text) => !/[\t,]/.test(text));
  return isSafe ? [...columns, name].join("\t") : undefined;
}

/** The ids of a packed create, in lower case. */
export function idsIn(packed: Packed): readonly string[] {
  return packed.split("\t", 2).map((id) => id.toLowerCase());
}

export function unpack(operation: Operation | Packed): Operation {
  if (!isPacked(operation)) return operation;
  const [, serviceId = "", next, began, digest = "", at = "", ...rest] = operation.split("\t");
  const [severity, claimed, services, digests, ...name] = rest;
  const [occurrence, claim] = claimed?.split(" ") ?? [];
  const summary: Summary = {
    state: "created",
    digest,
    created: { at, serviceId },
    ...(claim && { claim: { digest: claim, occurrence: Number(occurrence) } }),
    ...(name.join("\t") !== "" && { name: name.join("\t") }),
    ...(severity && { severity }),
    ...(services && { services: services.split(",") }),
    ...(digests && { parts: partsFrom(digests.split(",")) }),
  };
  return { first: Number(next) - 1, began: Number(began), events: [{ type: "pruned", at, summary }] };
}

function partsFrom([name = "", severity = "", services = "", ...updates]: readonly string[]): Parts {
  return { name, severity, services, updates };
}
