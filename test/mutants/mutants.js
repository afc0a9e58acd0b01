// Bundles the mutation tool, and runs it by this Node: `node test/mutants/mutants.js [options]`.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const folder = join(import.meta.dirname, "../../node_modules/.mutants", `tool-${process.pid}`);
const bundle = await rolldown({
  input: join(import.meta.dirname, "main.ts"),
  platform: "node",
  external: /^rolldown/,
  logLevel: "warn",
});
await bundle.write({ dir: folder, format: "esm", entryFileNames: "main.mjs", codeSplitting: false });
await import(join(folder, "main.mjs"));
rmSync(folder, { recursive: true, force: true });
