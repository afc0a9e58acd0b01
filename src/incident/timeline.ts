// The updates of a definition against those that are published: which are still to be posted. Pure.
import { normalId } from "./normal-form.ts";
import { isSameUpdate, type TimelineUpdate, type UpdateOrder } from "./updates.ts";

export interface TimelineFacts {
  /** In the order of the file. */
  readonly file: readonly TimelineUpdate[];
  /** As the service lists them: from the oldest or from the newest. */
  readonly shown: readonly TimelineUpdate[];
  /** Of each update of the file that was posted from here, by its place: the service's own id, where it is known. */
  readonly posted: ReadonlyMap<number, string | undefined>;
  /** Those of the list that were posted from here for a file, whether or not it still has them. */
  readonly own?: ReadonlySet<TimelineUpdate>;
  /** The status of the incident at the service. */
  readonly liveStatus: string | undefined;
  /** The direction of the list, where it is known. */
  readonly order?: UpdateOrder | undefined;
}

export interface TimelinePlan {
  /** Places in the file: those after the last update that is published. */
  readonly tail: readonly number[];
  /** Places up to it that the service shows in other words, or shows no more. */
  readonly reworded: readonly number[];
  /** Places before it that nobody has published. They stay so: an update has its place in time. */
  readonly unpublished: readonly number[];
  /**
   * Why the tail is not to be posted. `order-unknown`: read from the other end, the list would say that another update
   * is the last one. `resolved`: somebody has resolved the incident, and the file does not say so.
   */
  readonly problem?: "nothing-published" | "order-unknown" | "resolved";
}

/** Pairs of a place in the file and a place in the list, both ascending. */
type Alignment = ReadonlyMap<number, number>;

/** A list of the service from the oldest, with its alignment. */
interface Aligned {
  readonly alignment: Alignment;
  readonly list: readonly TimelineUpdate[];
}

export function planTimeline(facts: TimelineFacts): TimelinePlan {
  const { file, liveStatus, posted, shown } = facts;
  const { alignment, isLastKnown, isOrderKnown, list, possible } = align(facts);
  const isPublished = (at: number) => alignment.has(at) || posted.has(at);
  const last = file.findLastIndex((_, at) => isPublished(at));
  const rest = [...file.keys()].slice(last + 1);
  if (last < 0 && isAllReworded(facts)) return { tail: [], reworded: [...file.keys()], unpublished: [] };
  if (last < 0) return { tail: rest, reworded: [], unpublished: [], problem: "nothing-published" };
  if (!isLastKnown && rest.length > 0)
    return { tail: rest, reworded: [], unpublished: [], problem: "order-unknown" };
  const corrected = correctedIn(rest, facts, possible);
  const lastCorrected = corrected.at(-1) ?? last;
  const tail = rest.filter((at) => at > lastCorrected);
  const reworded: number[] = [...corrected];
  const unpublished: number[] = rest.filter((at) => at < lastCorrected && !corrected.includes(at));
  for (const gap of gapsBefore(last, isPublished)) {
    const others = othersWithin(gap, alignment, list.length);
    // Where the order is not known, the gap is on either side.
    const fewest = isOrderKnown ? others : Math.min(others, shown.length - 1 - others);
    (fewest >= gap.length ? reworded : unpublished).push(...gap);
  }
  const isAsWritten = (at: number) => {
    const place = alignment.get(at);
    return place !== undefined && isSameUpdate(file[at] as TimelineUpdate, list[place] as TimelineUpdate);
  };
  reworded.push(...[...posted.keys()].filter((at) => at <= last && !isAsWritten(at)));
  const isOver = (at: number) => isPublished(at) || corrected.includes(at);
  const lastStatus = file.findLast(({ status }, at) => isOver(at) && status)?.status;
  const isResolved = liveStatus === "RESOLVED" && lastStatus !== "RESOLVED" && tail.length > 0;
  return { tail, reworded, unpublished, ...(isResolved && { problem: "resolved" }) };
}

/**
 * Whether the service shows, for each update of the file and in its order, one of the same status in other words: the
 * texts were corrected after they were published. A status that is new is no correction.
 */
function isAllReworded({ file, order, shown }: TimelineFacts): boolean {
  const isSameStatus = (at: number, update: TimelineUpdate) => hasSameStatus(file[at], update);
  const lists = { "oldest-first": shown, "newest-first": shown.toReversed() };
  const possible = order === undefined ? Object.values(lists) : [lists[order]];
  return possible.some((list) => longestAlignment(file.length, list, isSameStatus).size === file.length);
}

function hasSameStatus(one: TimelineUpdate | undefined, { status }: TimelineUpdate): boolean {
  return (one?.status ?? status) === (status ?? one?.status);
}

/**
 * Places in the rest of the file whose texts were corrected after they were published: after the last update that is
 * aligned, the list has an own one of the same status. Where the order is not known, the one with more such places counts.
 */
function correctedIn(
  rest: readonly number[],
  { file, own = new Set() }: TimelineFacts,
  possible: readonly Aligned[],
): readonly number[] {
  const [found = [], other = []] = possible.map(({ alignment, list }) => {
    const last = Math.max(-1, ...alignment.values());
    const ours = list.filter((update, place) => place > last && own.has(update));
    const isSameStatus = (at: number, update: TimelineUpdate) =>
      hasSameStatus(file[rest[at] as number], update);
    return [...longestAlignment(rest.length, ours, isSameStatus).keys()].map((at) => rest[at] as number);
  });
  return other.length > found.length ? other : found;
}

/** The number of equal updates before this one in the file, which tells equal ones apart. */
export function occurrenceOf(file: readonly TimelineUpdate[], at: number): number {
  const own = file[at] as TimelineUpdate;
  return file.slice(0, at).filter((other) => isSameUpdate(own, other)).length;
}

/** Aligns in the order of the list in which more updates are the same. */
function align({ file, order, posted, shown }: TimelineFacts) {
  const isSame = (at: number, update: TimelineUpdate) => {
    const ids = [posted.get(at), file[at]?.id].flatMap((id) => (id === undefined ? [] : [normalId(id)]));
    if (update.id !== undefined && ids.includes(normalId(update.id))) return true;
    return isSameUpdate(file[at] as TimelineUpdate, update);
  };
  const alignedAs = (list: readonly TimelineUpdate[]): Aligned => ({
    alignment: longestAlignment(file.length, list, isSame),
    list,
  });
  const oldestFirst = alignedAs(shown);
  const newestFirst = alignedAs(shown.toReversed());
  const [one, other] = [oldestFirst.alignment.size, newestFirst.alignment.size];
  const isOrderKnown = order !== undefined || shown.length < 2 || one !== other;
  const lastOf = ({ alignment }: Aligned) => Math.max(...alignment.keys(), ...posted.keys());
  const isLastKnown = isOrderKnown || lastOf(oldestFirst) === lastOf(newestFirst);
  const isReversed = order === undefined ? other > one : order === "newest-first";
  const chosen = isReversed ? newestFirst : oldestFirst;
  const possible = isOrderKnown ? [chosen] : [oldestFirst, newestFirst];
  return { ...chosen, isLastKnown, isOrderKnown, possible };
}

/** A longest common subsequence; of several, the earliest in the file, so that the last of equal updates is in the tail. */
function longestAlignment(
  count: number,
  list: readonly TimelineUpdate[],
  isSame: (at: number, update: TimelineUpdate) => boolean,
): Alignment {
  const same = Array.from({ length: count }, (_, at) => list.map((update) => isSame(at, update)));
  /** The length for the ends of the file and the list that begin at these places. */
  const lengths = Array.from({ length: count + 1 }, () => new Uint32Array(list.length + 1));
  const length = (at: number, place: number) => lengths[at]?.[place] ?? 0;
  for (let at = count - 1; at >= 0; at -= 1) {
    for (let place = list.length - 1; place >= 0; place -= 1) {
      (lengths[at] as Uint32Array)[place] = same[at]?.[place]
        ? length(at + 1, place + 1) + 1
        : Math.max(length(at + 1, place), length(at, place + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let at = 0;
  let place = 0;
  while (length(at, place) > 0) {
    if (same[at]?.[place]) pairs.push([at++, place++]);
    else if (length(at, place + 1) === length(at, place)) place += 1;
    else at += 1;
  }
  return new Map(pairs);
}

/** Runs of places before `last` that are not published. */
function gapsBefore(last: number, isPublished: (at: number) => boolean): readonly (readonly number[])[] {
  const gaps: number[][] = [];
  for (let at = 0; at < last; at += 1) {
    if (isPublished(at)) continue;
    if (at > 0 && !isPublished(at - 1)) gaps.at(-1)?.push(at);
    else gaps.push([at]);
  }
  return gaps;
}

/** The updates of the list between the neighbours of the gap that are aligned. */
function othersWithin(gap: readonly number[], alignment: Alignment, count: number): number {
  const [first = 0] = gap;
  const before = [...alignment].findLast(([at]) => at < first)?.[1] ?? -1;
  const after = [...alignment].find(([at]) => at > first)?.[1] ?? count;
  return after - before - 1;
}
