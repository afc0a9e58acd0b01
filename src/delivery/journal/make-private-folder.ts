// Makes a folder of the state directory, which only this user can write to.
import { dirname } from "node:path";
import { Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { codeOf } from "./journal-errors.ts";

/** More folders than any path has. */
const deepestPath = 100;

/** Makes `folder` where it is missing. Throws a `Failure` "usage" where others may write to it. */
export function makePrivateFolder(
  {
    files,
    system,
  }: { readonly files: Pick<Files, "mkdirSync" | "statSync">; readonly system: Pick<System, "user"> },
  folder: string,
): void {
  const stat = files.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) makeFolders(files, folder);
  else if ((system.user !== undefined && stat.uid !== system.user) || (stat.mode & 0o022) !== 0) {
    throw new Failure("usage", `the state directory ${folder} belongs to others, or others may write to it`, {
      hint: `run chmod 700 ${folder}, or name another with --state-dir`,
    });
  }
}

/** One level at a time: Node's recursive form can loop for ever. */
function makeFolders(files: Pick<Files, "mkdirSync" | "statSync">, folder: string): void {
  const missing: string[] = [];
  for (let path = folder; missing.length < deepestPath; path = dirname(path)) {
    if (files.statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) break;
    missing.unshift(path);
  }
  for (const path of missing) {
    try {
      files.mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}
