// The definition files of a folder: their names, and how many there are below it.
import { join } from "node:path";
import type { Files } from "../platform/context.ts";
import { isVisibleFolder } from "./glob.ts";

/** The names of definition files in a folder. Excludes the schema files that editors use. */
export const definitionName = /^[^.].*(?<!\.(?:schema|contract))\.(?:ya?ml|json)$/i;

const maxCounted = 1000;

export function countBelow(files: Files, folder: string): number {
  const folders = [folder];
  let count = 0;
  for (const each of folders) {
    if (count >= maxCounted || folders.length > maxCounted) break;
    for (const entry of readFolder(files, each)) {
      if (!entry.isDirectory()) count += definitionName.test(entry.name) ? 1 : 0;
      else if (isVisibleFolder(entry.name)) folders.push(join(each, entry.name));
    }
  }
  return Math.min(count, maxCounted);
}

function readFolder(files: Files, folder: string) {
  try {
    return files.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
