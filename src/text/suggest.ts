// Finds the known text that a person probably meant, and offers it.
import { cutText } from "./lengths.ts";

/**
 * The candidate that equals the value except for letter case, else the one with the smallest edit distance (at most a
 * third of its letters, and at most three). `undefined` if there is none.
 */
export function nearest(value: string, candidates: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  const same = sameLetters(value, candidates);
  if (same !== undefined || lower.length > longestSuggestion) return same;
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const allowed = Math.min(3, Math.floor(candidate.length / 3));
    if (Math.abs(candidate.length - lower.length) > allowed) continue;
    const distance = editDistance(
      ...withoutCommonEnds(lower, candidate.toLowerCase()),
      best?.distance ?? allowed,
    );
    if (distance <= allowed && (best === undefined || distance < best.distance))
      best = { candidate, distance };
  }
  return best?.candidate;
}

/** The longest text that is compared letter by letter, which takes quadratic time. */
const longestSuggestion = 100;

export function didYouMean(candidate: string): string {
  return `did you mean ${candidate}?`;
}

export function withSuggestion(hint: string, candidate: string | undefined): string {
  return candidate === undefined ? hint : `${hint}; ${didYouMean(candidate)}`;
}

/** Two texts without their common start and end, which do not change the edit distance. */
function withoutCommonEnds(one: string, other: string): [string, string] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

/**
 * The edit distance: the number of letters added, omitted or replaced, and of neighbours swapped. Infinity as soon as
 * it is certain to exceed `limit`.
 */
function editDistance(from: string, to: string, limit: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  let isBeyond = false;
  for (let i = 1; i <= from.length; i += 1) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let distance = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        distance = Math.min(distance, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(distance);
      if (distance < least) least = distance;
    }
    // A swap takes its distance from the row before the previous one.
    if (isBeyond && least > limit) return Number.POSITIVE_INFINITY;
    isBeyond = least > limit;
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

interface KnownNames {
  readonly count: number;
  /** The names with commas between them, cut after 1,000 characters. */
  readonly list: string;
  /** The known name that was probably meant. Once the bound is reached, only one that differs in letter case. */
  readonly nearest: (name: string) => string | undefined;
}

const longestList = 1000;

/** The most comparisons with one collection: a hundred searches of a catalog of 1,000 names. */
const maxComparisons = 100_000;

const known = new WeakMap<object, KnownNames>();

/** The names of a collection that no longer changes. */
export function knownNames(collection: { keys(): Iterable<string> }): KnownNames {
  const names = known.get(collection) ?? readNames([...collection.keys()]);
  known.set(collection, names);
  return names;
}

function readNames(names: readonly string[]): KnownNames {
  let left = maxComparisons;
  return {
    count: names.length,
    list: cutText(names.join(", "), longestList),
    nearest: (name) => {
      left -= names.length;
      return left < 0 ? sameLetters(name, names) : nearest(name, names);
    },
  };
}

/** The candidate that equals the value except for letter case. */
function sameLetters(value: string, candidates: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  return candidates.find((candidate) => candidate.toLowerCase() === lower);
}
