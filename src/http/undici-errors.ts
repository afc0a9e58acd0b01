// Reads the errors that undici and Node.js report for a failed request. They decide the message and the reason only; the
// phase tells how far the request came.

import { codeOf } from "../failure.ts";
import type { Answered } from "./transport.ts";

/** The system's own words. Node.js tries every address of a host; where all fail, the reasons are in `errors`. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // OpenSSL's message has addresses and source lines; its reason is the part for a person.
  if ("library" in error && "reason" in error) return `TLS failed: ${error.reason}`;
  const first = "errors" in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
  return error.message || (first instanceof Error ? first.message : error.name);
}

/** Whether the port answers in plain text. */
export function isPlainText(error: unknown): boolean {
  return ["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"].includes(codeOf(error) ?? "");
}

export function bodyErrorOf(error: unknown): NonNullable<Answered["bodyError"]> {
  return codeOf(error) === "UND_ERR_RES_EXCEEDED_MAX_SIZE" ? "too-large" : "truncated";
}

/** Whether bytes came back that are not an HTTP response. */
export function isGarbage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    error.name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" ||
    // These errors have the same code as a closed connection.
    /^bad (response|upgrade)$/.test(error.message)
  );
}
