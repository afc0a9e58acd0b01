// Names a value by a digest of its JSON.
import { hash } from "node:crypto";

/** SHA-256, as hexadecimal digits. */
export function jsonDigest(value: unknown): string {
  return hash("sha256", JSON.stringify(value));
}

/** Short, for a journal, which keeps many for ever. Undefined counts as null. */
export function shortDigest(value: unknown): string {
  return jsonDigest(value ?? null).slice(0, 16);
}
