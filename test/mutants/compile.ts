// Which mutants the compiler refuses: those are no faults that anyone can make, so they are not counted. Each mutant is a
// file of its own beside the original, and one run of the compiler checks all of them.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mutant } from "./instrument.ts";
import { root } from "./selection.ts";

/** The names of the mutants that the compiler refuses. */
export function refusedByCompiler(
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  try {
    cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const unused = { noUnusedLocals: false, noUnusedParameters: false };
    const config = { compilerOptions: { ...compilerOptions, ...unused }, include: ["src"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const copyOf = (file: string, number: number) => file.replace(/\.ts$/, `.mutant-${number}.ts`);
    for (const [file, text] of sources) writeFileSync(join(folder, copyOf(file, 0)), text);
    const byCopy = new Map(mutants.map((mutant) => [copyOf(mutant.file, mutant.number), mutant]));
    for (const [copy, { file, mutate }] of byCopy)
      writeFileSync(join(folder, copy), mutate(sources.get(file) ?? ""));
    const compiler = join(root, "node_modules/typescript/lib/tsc.js");
    const { stdout } = spawnSync(process.execPath, [compiler, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
    });
    const wrong = new Set([...stdout.matchAll(/^(src\/[^(]+)\(/gm)].map(([, file = ""]) => file));
    const unmutated = [...wrong].filter((file) => !byCopy.has(file));
    if (unmutated.length > 0) throw new Error(`the compiler refuses the originals: ${unmutated.join(", ")}`);
    return new Set([...wrong].map((file) => byCopy.get(file)?.name ?? ""));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
