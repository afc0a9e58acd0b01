// Expands a glob that no shell has expanded, as in a quoted argument or a CI file. It knows `*`, `?` and `**`,
// and like a shell it leaves hidden names alone unless the pattern names them.
import { isAbsolute, join, resolve } from "node:path";
import type { Files } from "../platform/context.ts";

export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** The paths that match, sorted, and relative where the pattern is. A folder that cannot be read has none. */
export function expandGlob(files: Files, cwd: string, pattern: string): string[] {
  const steps = pattern.split("/").filter((step) => step !== "");
  const found = steps.reduce<string[]>(
    (bases, step) => bases.flatMap((base) => follow(base, step)),
    [isAbsolute(pattern) ? "/" : ""],
  );
  return [...new Set(found)].sort();

  function follow(base: string, step: string): string[] {
    if (step === "**") return [base, ...folders(base).flatMap((folder) => follow(folder, step))];
    if (!isGlob(step)) return exists(files, resolve(cwd, base, step)) ? [join(base, step)] : [];
    const matcher = matcherOf(step);
    return entries(base)
      .filter(({ name }) => matcher.test(name) && (step.startsWith(".") || !name.startsWith(".")))
      .map(({ name }) => join(base, name));
  }

  function folders(base: string): string[] {
    const inside = entries(base).filter((entry) => entry.isDirectory() && isVisibleFolder(entry.name));
    return inside.map(({ name }) => join(base, name));
  }

  function entries(base: string) {
    try {
      return files.readdirSync(resolve(cwd, base), { withFileTypes: true });
    } catch {
      return [];
    }
  }
}

/** Whether anything stands at the path that can be looked at. */
export function exists(files: Files, path: string): boolean {
  try {
    files.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a search below a folder goes into this one. */
export function isVisibleFolder(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

function matcherOf(step: string): RegExp {
  const pattern = step.replace(/\*+|[^*]/g, (part) => {
    if (part.startsWith("*")) return ".*";
    return part === "?" ? "." : part.replace(/[\\^$.|+()[\]{}]/, String.raw`\$&`);
  });
  return new RegExp(`^${pattern}$`, "s");
}
