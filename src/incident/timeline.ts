// The updates of a definition against those that are published: which are still to be posted. Pure. A file is a timeline,
// the oldest first, and grows at its end. What is published is counted: no order of a list is compared.
import { isSameOrCut } from "./comparison.ts";
import { normalId } from "./normal-form.ts";
import { hasSameStatus, isSameUpdate, type TimelineUpdate } from "./updates.ts";

export interface TimelineFacts {
  /** In the order of the file. */
  readonly file: readonly TimelineUpdate[];
  /** In any order. */
  readonly shown: readonly TimelineUpdate[];
  /** The updates of the file that were posted from here, by their place, each with the service's own id if it is known. */
  readonly posted: ReadonlyMap<number, string | undefined>;
  /** How many equal ones of an update that the service shows were posted from here for the file. */
  readonly own: (update: TimelineUpdate) => number;
  /** Whether the journal knows which updates the incident was declared with. */
  readonly isRemembered: boolean;
  /** The status of the incident at the service. */
  readonly liveStatus: string | undefined;
}

/** `at`: the place in the file; undefined for an update that it lacks. `shown`: the update that the service shows for it. */
export interface Mismatch {
  readonly at?: number | undefined;
  readonly shown?: TimelineUpdate | undefined;
}

export interface TimelinePlan {
  /** Places in the file: those after the last update that is published. */
  readonly tail: readonly number[];
  /** Why nothing is to be posted. `changed`: the service shows an update that the file had, or may have had. */
  readonly problem: "changed" | "nothing-published" | "resolved" | undefined;
  readonly mismatches: readonly Mismatch[];
  /** Places of unpublished updates before the last published one, without corrected ones. They are not posted. */
  readonly unpublished: readonly number[];
  /** Whether the incident is resolved at the service, and not in the file. */
  readonly isOver: boolean;
}

export function planTimeline(facts: TimelineFacts): TimelinePlan {
  const { file, liveStatus, posted } = facts;
  const { found, others } = match(facts);
  const places = [...file.keys()];
  const last = file.findLastIndex((_, at) => found[at] !== undefined || posted.has(at));
  const tail = places.slice(last + 1);
  const unpublished = places.slice(0, tail[0]).filter((at) => !found[at] && !posted.has(at));
  const gone = goneFrom(facts, others, file[tail[0] ?? -1]);
  const pairs = others.filter((update) => !file.some((each) => isSameUpdate(each, update)));
  const pairOf = (at: number) => {
    const isPair = (each: TimelineUpdate) =>
      hasSameStatus(file[at], each) && (at <= last || gone.includes(each));
    const place = pairs.findIndex(isPair);
    return place < 0 ? undefined : pairs.splice(place, 1)[0];
  };
  const told = places.flatMap((at): Mismatch[] => {
    const own = found[at];
    if (own !== undefined) return isSameOrCutUpdate(file[at], own) ? [] : [{ at, shown: own }];
    const shown = pairOf(at);
    return shown !== undefined || unpublished.includes(at) ? [{ at, shown }] : [];
  });
  const unpaired = gone.filter((update) => !told.some(({ shown }) => shown === update));
  const lastStatus = file.slice(0, last + 1).findLast(({ status }) => status)?.status;
  const isOver = liveStatus === "RESOLVED" && lastStatus !== "RESOLVED";
  const problem =
    gone.length > 0 ? "changed" : last < 0 ? "nothing-published" : isOver ? "resolved" : undefined;
  const corrected = told.flatMap(({ at, shown }) => (shown && gone.includes(shown) ? [at] : []));
  return {
    tail,
    unpublished: unpublished.filter((at) => !corrected.includes(at)),
    isOver,
    mismatches: [...told, ...unpaired.map((shown) => ({ shown }))],
    problem: tail.length > 0 || corrected.length > 0 ? problem : undefined,
  };
}

/** The shown update of each place: the one with its id, else an equal one, else one of ours that the service has cut. */
function match({ file, posted, shown }: TimelineFacts) {
  const others = [...shown];
  const found: (TimelineUpdate | undefined)[] = file.map(() => undefined);
  const take = (isIt: (at: number, update: TimelineUpdate) => boolean) => {
    for (const at of found.keys()) {
      const place = found[at] ? -1 : others.findIndex((update) => isIt(at, update));
      if (place >= 0) [found[at]] = others.splice(place, 1);
    }
  };
  take((at, { id }) => {
    const ids = [posted.get(at), file[at]?.id].flatMap((each) =>
      each === undefined ? [] : [normalId(each)],
    );
    return id !== undefined && ids.includes(normalId(id));
  });
  take((at, update) => isSameUpdate(file[at] as TimelineUpdate, update));
  take((at, update) => posted.has(at) && isSameOrCutUpdate(file[at], update));
  return { found, others };
}

/**
 * The updates that were posted for the file and that it no longer has. Without a memory, also any text of the status of
 * the next update.
 */
function goneFrom(
  { file, isRemembered, own }: TimelineFacts,
  others: readonly TimelineUpdate[],
  next: TimelineUpdate | undefined,
): readonly TimelineUpdate[] {
  const countIn = (list: readonly TimelineUpdate[], update: TimelineUpdate) =>
    list.filter((each) => isSameUpdate(each, update)).length;
  return others.filter((update, at) => {
    const inFile = countIn(file, update);
    if (countIn(others.slice(0, at), update) < own(update) - inFile) return true;
    return !isRemembered && inFile === 0 && next?.status !== "RESOLVED" && hasSameStatus(next, update);
  });
}

/** The number of equal updates before this one in the file, which tells equal ones apart. */
export function occurrenceOf(file: readonly TimelineUpdate[], at: number): number {
  const own = file[at] as TimelineUpdate;
  return file.slice(0, at).filter((other) => isSameUpdate(own, other)).length;
}

function isSameOrCutUpdate(one: TimelineUpdate | undefined, other: TimelineUpdate): boolean {
  return hasSameStatus(one, other) && isSameOrCut(one?.description ?? "", other.description ?? "");
}
