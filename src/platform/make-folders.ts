// Makes a folder and those above it, one at a time: Node's recursive form can loop for ever, such as below /proc.
import { dirname } from "node:path";
import type { Files } from "./context.ts";

/** `folder` is absolute. Throws the error of the system. */
export function makeFolders(
  files: Pick<Files, "mkdirSync" | "statSync">,
  folder: string,
  mode: number,
): void {
  const missing: string[] = [];
  for (let path = folder; dirname(path) !== path; path = dirname(path)) {
    if (files.statSync(path, { throwIfNoEntry: false }) !== undefined) break;
    missing.unshift(path);
  }
  for (const path of missing) {
    try {
      files.mkdirSync(path, { mode });
    } catch (error) {
      // Another process makes the same folder.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
