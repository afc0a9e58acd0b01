// Reads and writes times and durations.

const isoDateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** The milliseconds since the epoch of an ISO date-time with an offset; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  const at = Date.parse(text);
  return isoDateTime.test(text) && !Number.isNaN(at) ? at : undefined;
}

/** As `2026-11-20 07:31 +01:00`; any other text as it is. `localOffset`, in minutes, because data of time zones load slowly. */
export function localTime(
  dateTime: string,
  localOffset: (at: number) => number,
  precision: "minutes" | "seconds" = "minutes",
): string {
  const at = instantOf(dateTime);
  if (at === undefined) return dateTime;
  const offset = localOffset(at);
  const two = (count: number) => String(Math.floor(count)).padStart(2, "0");
  const local = new Date(at + offset * 60_000)
    .toISOString()
    .slice(0, precision === "minutes" ? 16 : 19)
    .replace("T", " ");
  return `${local} ${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

/** An elapsed time in its one or two largest units: `42 s`, `2 m 10 s`, `30 m`, `1 h 5 m`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} m` : `${hours} h`;
  if (minutes > 0) return seconds % 60 > 0 ? `${minutes} m ${seconds % 60} s` : `${minutes} m`;
  return `${seconds} s`;
}

const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `20s`, `30m`, `1.5h` or `7d` in milliseconds; a bare number is seconds. NaN for any other text. */
export function parseDuration(text: string): number {
  const [, amount = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  return Number.parseFloat(amount) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
}

/** A duration before `now`, with or without a minus, in ms since the epoch. Undefined for any other text. */
export function timeBefore(text: string, now: number): number | undefined {
  const at = /[a-z]$/.test(text) ? now - parseDuration(text.replace(/^-/, "")) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
