// Makes folders, and finds the working directory and the home directory.
import { dirname, isAbsolute, join } from "node:path";
import { callSystem, codeOf, Failure } from "../failure.ts";
import type { Files, System } from "./context.ts";

/**
 * Makes a private folder and the missing ones above it, one at a time, and returns them: the recursive mkdir of Node.js never
 * returns below a folder that refuses new ones with ENOENT, such as /proc. Throws the error of the system.
 */
export function makeFolders(files: Pick<Files, "mkdirSync" | "statSync">, folder: string): string[] {
  if (files.statSync(folder, { throwIfNoEntry: false }) !== undefined) return [];
  const made = dirname(folder) === folder ? [] : makeFolders(files, dirname(folder));
  try {
    files.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has made it meanwhile.
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return [...made, folder];
}

/** Makes a new folder that only this user can read. `purpose` is a part of its name. Throws a `Failure` "usage". */
export function makeTemporaryFolder(
  { files, system: { temporary } }: { readonly files: Files; readonly system: Pick<System, "temporary"> },
  purpose: string,
): string {
  const problem = `nothing can be written to ${temporary}, the folder for temporary files`;
  const make = () => files.mkdtempSync(join(temporary, `incident-${purpose}-`));
  return callSystem(problem, "name another with TMPDIR", make);
}

/** The working directory of this process, which can be removed while a shell is in it. */
export function workingDirectory(): string {
  const problem = "the working directory is gone, or a folder above it cannot be read";
  return callSystem(problem, "go to another folder with cd, and run it again", process.cwd);
}

/** The home directory. One that is relative would be another in each checkout, whose files would be settings and a journal. */
export function homeDirectory(): string {
  const hint = "set HOME to the whole path of a folder of this user";
  const home = callSystem("this user has no home directory", hint, process.getBuiltinModule("os").homedir);
  if (isAbsolute(home)) return home;
  throw new Failure("usage", "HOME is not the whole path of a folder", { hint });
}
