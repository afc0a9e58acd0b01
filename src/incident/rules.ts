// The pure rules that a definition's values are judged by: forms of text, lengths, and what was meant.
// They know nothing of YAML, of schemas or of where a value came from.

/** A GUID in its plain form, whatever its version and variant bits, in either letter case. */
export const guidPattern = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** The form of a date-time; whether there is such a date and time is for `isDateTime` to say. */
export const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/** At least one character that a reader would see: not only space, control or invisible format characters. */
export const visiblePattern = /[^\s\p{Cc}\p{Cf}]/u;

export function isGuid(text: string): boolean {
  return guidPattern.test(text);
}

/** A full date, `YYYY-MM-DD`, that is in the calendar (spec 2). */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeapYear ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * An ISO 8601 date-time with an offset, such as `2026-03-01T09:30Z` or `2026-03-01T10:30:00.5+01:00` (spec 2).
 *
 * Assumption: the spec says only "ISO 8601". Accepted is what nearly every reader of ISO 8601 agrees on, with
 * the seconds optional. The basic form (`20260301T093000Z`), a decimal comma, 24:00 and the leap second `:60`
 * are refused: common readers, JavaScript's among them, take them for no time at all.
 */
export function isDateTime(text: string): boolean {
  const parts = dateTimePattern.exec(text);
  if (parts === null) return false;
  const [, date = "", hour, minute, second = "0", offsetHour = "0", offsetMinute = "0"] = parts;
  return (
    isDate(date) &&
    [hour, offsetHour].every((value) => Number(value) <= 23) &&
    [minute, second, offsetMinute].every((value) => Number(value) <= 59)
  );
}

/** Length in Unicode code points, as JSON Schema and the service's limits count it. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * The candidate that was probably meant: the same but for letter case, else the one with the fewest typing
 * slips (at most a third of its letters, never more than three). `undefined` when nothing is near.
 */
export function nearest(value: string, candidates: readonly string[]): string | undefined {
  const written = value.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === written);
  if (same !== undefined) return same;
  let best: { readonly candidate: string; readonly slips: number } | undefined;
  for (const candidate of candidates) {
    const allowed = Math.min(3, Math.floor(candidate.length / 3));
    if (Math.abs(candidate.length - written.length) > allowed) continue;
    const slips = countSlips(written, candidate.toLowerCase());
    if (slips <= allowed && (best === undefined || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate;
}

/** The phrase that offers a candidate: `did you mean MAJOR?`. */
export function didYouMean(candidate: string): string {
  return `did you mean ${candidate}?`;
}

/** The hint, followed by the candidate where there is one. */
export function withSuggestion(hint: string, candidate: string | undefined): string {
  return candidate === undefined ? hint : `${hint}; ${didYouMean(candidate)}`;
}

/** Letters added, left out or replaced, and neighbours swapped, to get from one word to the other. */
function countSlips(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let slips = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        slips = Math.min(slips, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(slips);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
