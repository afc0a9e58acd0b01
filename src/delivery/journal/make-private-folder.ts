// Makes a folder of the state directory, which only this user can write to.
import { dirname } from "node:path";
import type { Files, System } from "../../platform/context.ts";
import { isShared } from "./check-state.ts";
import { codeOf, othersMayWrite } from "./journal-errors.ts";

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
  else if (isShared(stat, system)) throw othersMayWrite(folder);
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
