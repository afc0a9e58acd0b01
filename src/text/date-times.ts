// Reads and writes times and durations.

/** The date-time with seconds, which RFC 3339 requires and ISO 8601 does not. */
export function withSeconds(dateTime: string): string {
  return dateTime.replace(/T\d{2}:\d{2}(?!:)/, "$&:00");
}

/** An ISO date-time as a person reads it: `2026-11-20 07:31 +01:00`. `localOffset` is in minutes. */
export function localTime(
  dateTime: string,
  localOffset: (at: number) => number,
  precision: "minutes" | "seconds" = "minutes",
): string {
  const at = Date.parse(dateTime);
  if (Number.isNaN(at)) return dateTime;
  const offset = localOffset(at);
  const two = (count: number) => String(Math.floor(count)).padStart(2, "0");
  const local = new Date(at + offset * 60_000)
    .toISOString()
    .slice(0, precision === "minutes" ? 16 : 19)
    .replace("T", " ");
  return `${local} ${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `20s`, `30m`, `1.5h` or `7d` in milliseconds; a bare number is seconds. NaN for any other text. */
export function parseDuration(text: string): number {
  const [, amount = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  return Number.parseFloat(amount) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
}

/** A duration before `now`, in ms since the epoch. Undefined for any other text. */
export function timeBefore(text: string, now: number): number | undefined {
  const at = /[a-z]$/.test(text) ? now - parseDuration(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A time in the past: a duration, as `timeBefore` reads it, a date or a date-time. */
export function parsePast(text: string, now: number): number | undefined {
  const at = /^\d{4}-\d\d-\d\d(?:T|$)/.test(text) ? Date.parse(text) : timeBefore(text, now);
  return Number.isNaN(at) ? undefined : at;
}
