// The names of a catalog or of variables, for the messages about an unknown one. Each collection of names is read
// once, and the count of comparisons is bounded, so that many unknown names take linear time.
import { cutText } from "./lengths.ts";
import { longestSuggestion, nearest } from "./suggest.ts";

export interface KnownNames {
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
  let names = known.get(collection);
  if (names === undefined) {
    names = readNames([...collection.keys()]);
    known.set(collection, names);
  }
  return names;
}

function readNames(names: readonly string[]): KnownNames {
  const byLowerCase = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
  const byLength = new Map<number, string[]>();
  for (const name of names) {
    const group = byLength.get(name.length);
    if (group === undefined) byLength.set(name.length, [name]);
    else group.push(name);
  }
  let left = maxComparisons;
  return {
    count: names.length,
    list: cutText(names.join(", "), longestList),
    nearest: (name) => {
      const same = byLowerCase.get(name.toLowerCase());
      if (same !== undefined || name.length > longestSuggestion) return same;
      const lengths = [0, -1, 1, -2, 2, -3, 3].map((difference) => name.length + difference);
      const candidates = lengths.flatMap((length) => byLength.get(length) ?? []);
      left -= candidates.length;
      return left < 0 ? undefined : nearest(name, candidates);
    },
  };
}
