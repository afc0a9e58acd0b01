// Whether an incident that the journal knows as declared is gone from the service. A cache or a replica may not show an
// incident that exists, so the service must miss it in several reads in a row, over minutes on the clock of one boot.
import { bestEffort } from "../failure.ts";
import type { Incident } from "../incident/wire.ts";
import type { Notes } from "../journal/client-ids.ts";
import type { OperationLog } from "../journal/events.ts";
import { operationName } from "../journal/journal.ts";
import type { BootTime } from "../platform/context.ts";
import { toSeconds } from "../text/date-times.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** Reads in a row that did not find an incident; times in milliseconds since the boot. */
export interface Absence {
  /** The time of the declaration in the journal. With another time, the count of reads starts anew. */
  readonly declaredAt: string;
  readonly boot: string;
  readonly first: number;
  readonly last: number;
  readonly reads: number;
}

const fewestReads = 3;

/** The shortest time from the first read to the last, in milliseconds: caches usually keep a 404 for less. */
const shortestSpan = 5 * 60_000;

/** The shortest time between two reads that count separately, in milliseconds. */
const shortestPause = 30_000;

export function withMiss(before: Absence | undefined, declaredAt: string, now: BootTime): Absence {
  const { boot, elapsed } = now;
  const isContinued = before?.declaredAt === declaredAt && before.boot === boot;
  if (!isContinued) return { declaredAt, boot, first: elapsed, last: elapsed, reads: 1 };
  if (elapsed - before.last < shortestPause) return before;
  return { ...before, last: elapsed, reads: before.reads + 1 };
}

/** Whether the reads prove that the incident is gone. `settleFor`: milliseconds in which a create may appear. */
export function isGone(absence: Absence | undefined, settleFor: number): boolean {
  if (absence === undefined || absence.reads < fewestReads) return false;
  return absence.last - absence.first >= Math.max(shortestSpan, settleFor);
}

type ReadDeps = Pick<DeliveryOptions, "notes" | "reporter" | "settleFor" | "system">;

/** Judges one read of the incident that `log` knows as declared, together with the reads before it on this machine. */
export async function judgeRead(
  { notes, reporter, settleFor, system }: ReadDeps,
  { created, key }: OperationLog,
  found: Incident | undefined,
): Promise<"found" | "not-shown" | "gone"> {
  const remember = (value: object) =>
    bestEffort(reporter, async () => notes.replace(name, JSON.stringify(value)));
  const name = `absent-${operationName(key)}.json`;
  const before = readAbsence(notes, name);
  if (found !== undefined) {
    if (before !== undefined) await remember({});
    return "found";
  }
  const now = system.bootTime("now");
  if (now === undefined || created === undefined) return "not-shown";
  const absence = withMiss(before, created.at, now);
  if (absence !== before) await remember(absence);
  return isGone(absence, settleFor) ? "gone" : "not-shown";
}

/**
 * The incident that `log` knows as declared: as the service shows it, else as the journal knows it, with a warning.
 * Undefined where it is gone. Throws the `Failure` of the read.
 */
export async function readDeclared(
  options: DeliveryOptions,
  log: OperationLog,
): Promise<Incident | undefined> {
  const { at, incident, serviceId } = log.created as NonNullable<OperationLog["created"]>;
  const found = await options.client.findIncident(serviceId);
  if ((await judgeRead(options, log, found)) !== "not-shown") return found;
  options.reporter.warn(
    `the service does not show ${serviceId}, which was declared from here at ${toSeconds(at)}: a cache or a replica may be behind, so it counts as declared; if it was deleted, run incident journal settle ${serviceId} --not-created`,
  );
  const { content, name } = log;
  return incident ?? { ...content?.body, ...(name !== undefined && { name }), id: serviceId };
}

function readAbsence(notes: Notes, name: string): Absence | undefined {
  try {
    const { reads, ...others } = JSON.parse(notes.read(name) ?? "{}");
    return typeof reads === "number" ? { ...others, reads } : undefined;
  } catch {
    // A note that cannot be read is no evidence.
    return undefined;
  }
}
