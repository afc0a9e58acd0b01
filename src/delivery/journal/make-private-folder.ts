// Makes a folder of the state directory, which only this user can write to.
import type { Files, System } from "../../platform/context.ts";
import { makeFolders } from "../../platform/folders/make-folders.ts";
import { isShared } from "./check-state.ts";
import { othersMayWrite } from "./journal-errors.ts";

export interface MakeFolderDeps {
  readonly files: Pick<Files, "mkdirSync" | "statSync">;
  readonly system: Pick<System, "user">;
}

/** Makes `folder` where it is missing. Throws a `Failure` "usage" where others may write to it. */
export function makePrivateFolder({ files, system }: MakeFolderDeps, folder: string): void {
  const stat = files.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) makeFolders(files, folder);
  else if (isShared(stat, system)) throw othersMayWrite(folder);
}
