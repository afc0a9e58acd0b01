// The real way to the network, loaded with the first request: a command that sends none does not load undici.
import { once } from "../once.ts";
import type { Transport } from "./transport.ts";

export function openTransport(env: Readonly<Record<string, string | undefined>>): Transport {
  const open = once(async () => (await import("./undici-transport.ts")).createUndiciTransport(env));
  return async (request, control) => (await open())(request, control);
}
