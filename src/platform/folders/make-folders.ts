// Makes a folder and the missing ones above it, one at a time: the recursive mkdir of Node.js never returns below a
// folder that refuses new ones with ENOENT, such as /proc.
import { dirname } from "node:path";
import { codeOf } from "../../thrown-value.ts";
import type { Files } from "../context.ts";

/** Makes the missing folders, and calls `onMade` with each of them. Throws the error of the system. */
export function makeFolders(
  files: Pick<Files, "mkdirSync" | "statSync">,
  folder: string,
  mode = 0o700,
  onMade: (folder: string) => void = () => undefined,
): void {
  const missing: string[] = [];
  for (
    let path = folder;
    files.statSync(path, { throwIfNoEntry: false }) === undefined;
    path = dirname(path)
  ) {
    missing.unshift(path);
    if (dirname(path) === path) break;
  }
  for (const path of missing) {
    try {
      files.mkdirSync(path, { mode });
    } catch (error) {
      // Another process has made it meanwhile.
      if (codeOf(error) !== "EEXIST") throw error;
    }
    onMade(path);
  }
}
