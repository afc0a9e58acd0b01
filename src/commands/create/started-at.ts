// The value of --started-at: an instant, or a time before now.
import { Failure } from "../../failure.ts";
import { isDateTime } from "../../rules/forms.ts";

export interface StartTime {
  /** ISO 8601 with an offset and seconds. */
  readonly date: string;
  /** Whether the instant depends on when the command runs. */
  readonly isRelative: boolean;
}

const unitMilliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const year = 365 * unitMilliseconds.d;

/** Clocks of machines differ by this much, in milliseconds. */
const tolerance = unitMilliseconds.m;

/** Throws a `Failure` "usage" for another form, a time in the future, and one over a year ago. */
export function parseStartTime(text: string, now: number): StartTime {
  const [, count, unit] = /^-(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  const isRelative = count !== undefined;
  if (!isRelative && !isDateTime(text)) {
    throw new Failure("usage", `--started-at ${text} is not a time`, {
      hint: "write ISO 8601 with an offset, such as 2026-03-01T09:30:00Z, or a time before now, such as -20m",
    });
  }
  const at = isRelative
    ? now - Number(count) * unitMilliseconds[unit as keyof typeof unitMilliseconds]
    : Date.parse(text);
  if (at > now + tolerance) throw outside(text, "is in the future");
  if (at < now - year) throw outside(text, "is over a year ago");
  return { date: isRelative ? `${new Date(at).toISOString().slice(0, 19)}Z` : text, isRelative };
}

function outside(text: string, where: string): Failure {
  return new Failure("usage", `--started-at ${text} ${where}`, { hint: "check the date; nothing was sent" });
}
