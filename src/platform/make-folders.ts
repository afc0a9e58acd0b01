// Makes a folder and the missing ones above it. Own code instead of the `recursive` option of mkdir, which never ends
// where the system answers ENOENT for an existing parent, as in /proc.
import { dirname } from "node:path";
import type { Files } from "./context.ts";

/** More folders than any path has. */
const deepestPath = 100;

/** New folders are private to the user. */
export function makeFolders(files: Pick<Files, "mkdirSync" | "statSync">, wanted: string): void {
  const missing: string[] = [];
  for (let path = wanted; missing.length < deepestPath; path = dirname(path)) {
    if (files.statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) break;
    missing.unshift(path);
  }
  for (const path of missing) {
    try {
      files.mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
