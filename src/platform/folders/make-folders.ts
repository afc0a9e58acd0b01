// Makes a folder and the missing ones above it, one at a time: the recursive mkdir of Node.js never returns below a
// folder that refuses new ones with ENOENT, such as /proc.
import { dirname } from "node:path";
import { codeOf } from "../../thrown-value.ts";
import type { Files, System } from "../context.ts";

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

/** Waits until the names of a folder are on the disk. */
export function syncFolder(
  { files, system }: { readonly files: Files; readonly system: Pick<System, "user"> },
  path: string,
): void {
  // Windows cannot open a folder, and NTFS keeps the order of names by itself.
  if (system.user === undefined) return;
  const descriptor = files.openSync(path, files.constants.O_RDONLY);
  try {
    files.fsyncSync(descriptor);
  } finally {
    files.closeSync(descriptor);
  }
}
