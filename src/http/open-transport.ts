// The real way to the network, loaded with the first request: a command that sends none does not load undici.
// On Node.js 20, V8 does not optimize undici's WebAssembly parser: the process ends before that pays off.
import type { Transport } from "./transport.ts";

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

/** V8's default for how many steps of a WebAssembly function run before V8 optimizes it. */
const defaultBudget = 1_800_000;

/** No run has this many steps. */
const unreachedBudget = 1_000_000_000;

/**
 * Returns a wrapper for the first use of a connection, in which undici builds its parser; V8 reads the budget only
 * then. The wrapper resets the budget before anything else can load: V8 rejects cached code that it compiled under
 * other flags.
 */
export function createTieringDelay(): (firstUse: () => void) => void {
  if (!process.versions.v8.startsWith("11.")) return (firstUse) => firstUse();
  const { setFlagsFromString } = process.getBuiltinModule("v8");
  let isParserBuilt = false;
  return (firstUse) => {
    if (isParserBuilt) return firstUse();
    isParserBuilt = true;
    setFlagsFromString(`--wasm-tiering-budget=${unreachedBudget}`);
    try {
      firstUse();
    } finally {
      setFlagsFromString(`--wasm-tiering-budget=${defaultBudget}`);
    }
  };
}
