// The parts of undici that are used, and its only importer: its index would also load fetch, caches and web sockets.
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import createConnector from "undici/lib/core/connect.js";
// The parser is a file of its own: where an installation lacks it, the run ends before it journals anything.
import "undici/lib/llhttp/llhttp_simd-wasm.js";

export { default as Client } from "undici/lib/dispatcher/client.js";

export type ConnectOptions = buildConnector.Options;
export type ConnectCallback = buildConnector.Callback;
export type Connect = buildConnector.connector;

/** undici's connector returns the socket, but its types omit that. */
export const createSocketOpener = createConnector as unknown as (
  options: buildConnector.BuildOptions,
) => (options: ConnectOptions, callback: ConnectCallback) => Socket | TLSSocket;
