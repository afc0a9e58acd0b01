// Installs a package from the registry or a tarball into an empty folder, and measures the installation.
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Returns `{ folder, megabytes, packages }`, or `{ problem }` if the installation fails. */
export function install(spec, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const args = ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", spec];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  if (status !== 0) return { problem: stderr.trim().split("\n")[0] || "npm install took too long" };
  const modules = join(folder, "node_modules");
  return { folder, megabytes: sizeOf(modules) / 1e6, packages: countPackages(modules) };
}

/** The size of all files in the folder and below, in bytes. */
function sizeOf(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

function countPackages(modules) {
  const folders = readdirSync(modules, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith("."),
  );
  return folders.reduce((sum, { name }) => {
    if (name.startsWith("@")) return sum + countPackages(join(modules, name));
    const inner = join(modules, name, "node_modules");
    return sum + 1 + (lstatSync(inner, { throwIfNoEntry: false }) ? countPackages(inner) : 0);
  }, 0);
}
