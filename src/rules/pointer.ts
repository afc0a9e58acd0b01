// JSON pointers: where a part of a document stands.

/** The pointer of a field or of an entry of the value at `at`. */
export function pointerTo(at: string, step: string | number): string {
  return `${at}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
