// The pure rules for the values of a definition: enumerations, the forms of strings, lengths, and the nearest valid
// value. Independent of YAML and of schemas.

/** Spec 2.4, in the spec's order. */
export const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] as const;
export type Severity = (typeof severities)[number];

/** Spec 2.4, in the spec's order. */
export const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
export type Status = (typeof statuses)[number];

/** The maximum length of an incident's name, in code points (spec 8). */
export const maxNameLength = 255;

/** The text that `incident new` writes where the author must write something else. */
export const placeholder = "CHANGEME";

/** A GUID of any version and variant, in either letter case. */
export const guidPattern = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** The form of a date-time. `isDateTime` also checks that the date and time exist. */
export const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](\d{2}):(\d{2}))$/;

/**
 * At least one visible character: not only spaces, control characters and invisible format characters. A function for
 * speed: V8 reads a pattern where it is created, and Unicode properties take 0.4 ms.
 */
export const visiblePattern = (): RegExp => /[^\s\p{Cc}\p{Cf}]/u;

export function isGuid(text: string): boolean {
  return guidPattern.test(text);
}

/** Whether the text is a full date, `YYYY-MM-DD`, of the calendar (spec 2). */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeapYear ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Whether the numbers of a time and of its offset exist, in text that has the form. */
const hasTimeOfDay = /T(?:[01].|2[0-3]):[0-5].(?::[0-5].(?:\.\d+)?)?(?:Z|.(?:[01].|2[0-3]):[0-5].)$/;

/**
 * Whether the text is an ISO 8601 date-time with an offset, such as `2026-03-01T09:30Z` or
 * `2026-03-01T10:30:00.5+01:00` (spec 2).
 *
 * Assumption: the spec says only "ISO 8601". This function accepts the forms that nearly every parser supports, with
 * optional seconds. It rejects the basic form (`20260301T093000Z`), a decimal comma, 24:00 and the leap second `:60`,
 * because common parsers, including JavaScript's, reject them.
 */
export function isDateTime(text: string): boolean {
  return dateTimePattern.test(text) && hasTimeOfDay.test(text) && isDate(text.slice(0, 10));
}

/** The date-time with seconds, which RFC 3339 requires and ISO 8601 does not. */
export function withSeconds(dateTime: string): string {
  return dateTime.replace(/T\d{2}:\d{2}(?!:)/, "$&:00");
}

/** A recorded time for a message: `2026-11-20T06:31:00Z`, without milliseconds. */
export function toSeconds(dateTime: string): string {
  return dateTime.replace(/\.\d+(?=Z$)/, "");
}

/** The length in Unicode code points, as in JSON Schema and in the limits of the service. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The start of a long text, and how much is left out: `… (4,987,213 more characters)`. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // A surrogate pair stays whole.
  const end = length - (/[\ud800-\udbff]/.test(text.charAt(length - 1)) ? 1 : 0);
  return `${text.slice(0, end)}… (${withCommas(codePointLength(text.slice(end)))} more characters)`;
}

/** A count as `4,987,213`. Without `Intl`, which takes long to load. */
export function withCommas(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/**
 * The candidate that equals the value except for letter case, else the one with the smallest edit distance (at most a
 * third of its letters, and at most three). `undefined` if there is none.
 */
export function nearest(value: string, candidates: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === lower);
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
export const longestSuggestion = 100;

/** The phrase that offers a candidate: `did you mean MAJOR?`. */
export function didYouMean(candidate: string): string {
  return `did you mean ${candidate}?`;
}

/** The hint, followed by the candidate where there is one. */
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
