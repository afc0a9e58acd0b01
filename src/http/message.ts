// What the system said about a failed connection, in its own words, for a person to read.

/** Node tries every address of a host; where all fail, the reasons are inside. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const first = "errors" in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
  return error.message || (first instanceof Error ? first.message : error.name);
}
