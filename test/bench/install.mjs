// Installs a package from the registry or a tarball into an empty folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Returns `{ folder }`, or `{ problem }` if the installation fails. */
export function install(spec, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  const args = ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", spec];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  if (status !== 0) return { problem: stderr.trim().split("\n")[0] || "npm install took too long" };
  return { folder };
}
