// Formats times for people: in local time. A time zone is an offset, because loading the data of
// time zones takes longer than everything else.
import { assumeSafe, escapeLine, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { localTime } from "../../text/date-times.ts";

const dateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** The milliseconds since the epoch of an ISO date-time with an offset; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  const at = Date.parse(text);
  return dateTime.test(text) && !Number.isNaN(at) ? at : undefined;
}

/** An ISO date-time as `2026-11-20 07:31 +01:00`. Escapes any other text. */
export function formatTime(text: string, localOffset: (at: number) => number): SafeText {
  return escapeLine(instantOf(text) === undefined ? text : localTime(text, localOffset));
}

/** An ISO date-time as `2026-11-20 06:31 UTC`, for readers in several time zones. Escapes any other text. */
export function formatUtc(text: string): SafeText {
  const at = instantOf(text);
  return at === undefined ? escapeLine(text) : safe`${minuteOf(at)} UTC`;
}

function minuteOf(at: number): SafeText {
  return assumeSafe(new Date(at).toISOString().slice(0, 16).replace("T", " "));
}

/** An elapsed time in its one or two largest units: `42 s`, `2 m 10 s`, `30 m`, `1 h 5 m`. */
export function formatElapsed(milliseconds: number): SafeText {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return minutes > 0 ? safe`${hours} h ${minutes} m` : safe`${hours} h`;
  if (minutes > 0) return seconds % 60 > 0 ? safe`${minutes} m ${seconds % 60} s` : safe`${minutes} m`;
  return safe`${seconds} s`;
}
