// The real way to the network, loaded with the first request: a command that sends none does not load undici.
import type { Transport } from "./transport.ts";
import { createTieringDelay } from "./wasm-tiering.ts";

export function openTransport(env: Readonly<Record<string, string | undefined>>): Transport {
  let transport: Promise<Transport> | undefined;
  return async (request, control) => {
    transport ??= loadTransport(env);
    return (await transport)(request, control);
  };
}

async function loadTransport(env: Readonly<Record<string, string | undefined>>): Promise<Transport> {
  const { createUndiciTransport } = await import("./undici-transport.ts");
  return createUndiciTransport(env, { useConnection: createTieringDelay() });
}
