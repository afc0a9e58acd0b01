// Expands a glob that no shell expanded, as in a quoted argument or a CI file: `*`, `?` and `**`. Like a shell, it
// skips hidden names unless the pattern names them. Own code, because Node.js 20 has no `fs.globSync`, and because
// `tinyglobby` takes 10 ms to load and backtracks: `*a*a*a*a*a*b` takes more than a second for a name of 100 letters.
import { join, parse, resolve, sep } from "node:path";
import type { Files } from "../platform/context.ts";

export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** The matching paths, sorted; relative for a relative pattern. Skips unreadable folders. */
export function expandGlob(files: Files, cwd: string, pattern: string): string[] {
  const { root } = parse(pattern);
  const steps = pattern
    .slice(root.length)
    .split(sep === "/" ? "/" : /[\\/]/)
    .filter((step) => step !== "");
  // Each step drops duplicates, so that a pattern with several `**` visits each folder once a step.
  return steps
    .reduce<readonly string[]>(
      (bases, step) => [...new Set(bases.flatMap((base) => follow(base, step)))],
      [root],
    )
    .toSorted();

  function follow(base: string, step: string): string[] {
    if (step === "**") return [base, ...folders(base).flatMap((folder) => follow(folder, step))];
    if (!isGlob(step)) return exists(files, resolve(cwd, base, step)) ? [join(base, step)] : [];
    const pattern = step.replace(/\*+/g, "*").split("");
    return listFolder(files, resolve(cwd, base))
      .filter(({ name }) => matches(pattern, name) && (step.startsWith(".") || !name.startsWith(".")))
      .map(({ name }) => join(base, name));
  }

  function folders(base: string): string[] {
    return listFolder(files, resolve(cwd, base))
      .filter((entry) => entry.isDirectory() && isVisibleFolder(entry.name))
      .map(({ name }) => join(base, name));
  }
}

/** No entries of a folder that cannot be read. */
export function listFolder(files: Files, folder: string) {
  try {
    return files.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function exists(files: Files, path: string): boolean {
  try {
    files.statSync(path);
    return true;
  } catch {
    return false;
  }
}

export function isVisibleFolder(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

/** Whether a name matches a pattern of `*` and `?`, in at most `pattern.length * name.length` comparisons. */
function matches(pattern: readonly string[], name: string): boolean {
  /** The lengths of the starts of the name that the pattern up to here matches, in ascending order. */
  let lengths = [0];
  for (const step of pattern) {
    const [least = name.length + 1] = lengths;
    lengths =
      step === "*"
        ? Array.from({ length: name.length - least + 1 }, (_, more) => least + more)
        : lengths.filter((at) => at < name.length && (step === "?" || step === name[at])).map((at) => at + 1);
  }
  return lengths.includes(name.length);
}
