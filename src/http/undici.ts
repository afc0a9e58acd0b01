// The parts of undici that are used, and its only importer: its index would also load fetch, caches and web sockets. Its errors
// decide the message and the reason of an outcome only; the phase tells how far the request came.
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import createConnector from "undici/lib/core/connect.js";
// The parser is a file of its own: where an installation lacks it, the run ends before it journals anything.
import "undici/lib/llhttp/llhttp_simd-wasm.js";
import { codeOf } from "../failure.ts";
import type { Answered } from "./transport.ts";

export { default as Client } from "undici/lib/dispatcher/client.js";

export type Connect = buildConnector.connector;

/** undici's connector returns the socket, but its types omit that. */
export const createSocketOpener = createConnector as unknown as (
  options: buildConnector.BuildOptions,
) => (...given: Parameters<Connect>) => Socket | TLSSocket;

/** The system's own words. Node.js tries every address of a host; where all fail, the reasons are in `errors`. */
export function detailOf(error: unknown): string {
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
