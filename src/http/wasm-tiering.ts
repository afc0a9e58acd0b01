// For speed on Node.js 20 alone: keeps V8 from optimizing undici's WebAssembly parser in a process that ends before
// the optimization pays off.

/** V8's default for how many steps of a WebAssembly function run before V8 optimizes it. */
const defaultBudget = 1_800_000;

/** So many steps that no run reaches them. */
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
