// Finds the known text that a person probably meant, and offers it.

/** The candidate that is equal in any letter case, else the nearest, with an edit distance of at most a third of it, and 3. */
export function nearest(value: string, candidates: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === lower);
  if (same !== undefined || lower.length > longestSuggestion || candidates.length > mostCompared) return same;
  const near = candidates.flatMap((candidate) => {
    const allowed = Math.min(3, Math.floor(candidate.length / 3));
    const isOpposite = lower === `un${candidate.toLowerCase()}`;
    if (isOpposite || Math.abs(candidate.length - lower.length) > allowed) return [];
    const distance = editDistance(lower, candidate.toLowerCase());
    return distance <= allowed ? [{ candidate, distance }] : [];
  });
  return near.sort((one, other) => one.distance - other.distance)[0]?.candidate;
}

/** The longest text that is compared letter by letter, which takes quadratic time. */
const longestSuggestion = 60;

/** The most candidates that are compared so: a file can have thousands of unknown names. */
const mostCompared = 200;

export function didYouMean(candidate: string): string {
  return `did you mean ${candidate}?`;
}

export function withSuggestion(hint: string, candidate: string | undefined): string {
  return candidate === undefined ? hint : `${hint}; ${didYouMean(candidate)}`;
}

/** The number of letters added, omitted or replaced, and of neighbours swapped. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : replaced;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(from.length, to.length);
}

/** A name without its letter case and its separators, whatever its spelling: `nextId`, `next_id` or `next-id`. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}
