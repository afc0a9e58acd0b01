// Changes how a date-time is written.

/** The date-time with seconds, which RFC 3339 requires and ISO 8601 does not. */
export function withSeconds(dateTime: string): string {
  return dateTime.replace(/T\d{2}:\d{2}(?!:)/, "$&:00");
}

/** A recorded time for a message: `2026-11-20T06:31:00Z`, without milliseconds. */
export function toSeconds(dateTime: string): string {
  return dateTime.replace(/\.\d+(?=Z$)/, "");
}
