// Finds the project's file: the settings that everyone who works in a repository shares.
import { dirname, join } from "node:path";
import type { Context } from "../platform/context.ts";
import { findRepository } from "../platform/repository.ts";

export const projectFileName = ".incident.yaml";

/**
 * The nearest project file, absolute: from the working directory up to the repository's root, and without a
 * repository only in the working directory, so that a stranger's file in a parent folder is never taken up.
 */
export function findProjectFile(context: Pick<Context, "files" | "cwd">): string | undefined {
  const { files, cwd } = context;
  const last = findRepository({ files, system: { cwd } }) ?? cwd;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, projectFileName);
    if (files.lstatSync(file, { throwIfNoEntry: false }) !== undefined) return file;
    if (folder === last) return undefined;
  }
}
