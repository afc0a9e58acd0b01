// The real way to the network, loaded with the first request: a command that sends none does not load undici.
import type { Transport } from "./transport.ts";

export function openTransport(env: Readonly<Record<string, string | undefined>>): Transport {
  let transport: Promise<Transport> | undefined;
  return async (request, control) => {
    transport ??= import("./undici-transport.ts").then(({ createUndiciTransport }) =>
      createUndiciTransport(env),
    );
    return (await transport)(request, control);
  };
}
