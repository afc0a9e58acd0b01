// Bundles the tests and the simulation with the instrumented sources, for the processes that run them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { Instrumented } from "./instrument.ts";
import { chunkName, root, testFiles } from "./selection.ts";

const registry = join(root, "test/mutants/test-registry.ts");

/** Writes the bundle into `folder`. */
export async function bundleTests(sources: ReadonlyMap<string, Instrumented>, folder: string): Promise<void> {
  const tests = testFiles().map((file) => [chunkName(file), join(root, file)] as const);
  const bundle = await rolldown({
    input: { worker: join(root, "test/mutants/worker.ts"), ...Object.fromEntries(tests) },
    platform: "node",
    logLevel: "silent",
    treeshake: false,
    plugins: [
      {
        name: "instrumented",
        resolveId(id, importer) {
          if (id === "vitest" && importer !== registry) return registry;
          const isPackage = importer !== undefined && !/^[./]/.test(id);
          return isPackage ? { id, external: true } : null;
        },
        load(id) {
          const code = sources.get(id.slice(root.length + 1))?.code;
          return code === undefined ? null : { code, moduleType: "ts" };
        },
        transform(code, id) {
          if (!code.includes("import.meta.") || id === registry) return null;
          return code
            .replaceAll("import.meta.dirname", JSON.stringify(join(id, "..")))
            .replaceAll("import.meta.filename", JSON.stringify(id))
            .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href));
        },
      },
    ],
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
}
