// The real way to the network, loaded with the first request: a command that sends none does not load undici.
import type { Transport } from "./transport.ts";

export function openTransport(env: Readonly<Record<string, string | undefined>>): Transport {
  return async (...request) => (await import("./undici-transport.ts")).createUndiciTransport(env)(...request);
}
