// Whether the user's settings file is this user's alone. A profile can name a command to run, so a file that another
// user owns or can replace is refused: with sudo, the command of another user's profile would run as root.
import { dirname } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { findUntrustedFolder } from "../platform/folders/trusted-folders.ts";
import { shellWord } from "../platform/shell-quote.ts";

/** Throws a `Failure` "credentials" if other users can replace the file, by a folder above it or above its real path. */
export function checkPlace(
  { files, system: { user } }: { readonly files: Files; readonly system: Pick<System, "user"> },
  file: string,
): void {
  const found =
    findUntrustedFolder({ files, user }, dirname(file)) ??
    findUntrustedFolder({ files, user }, dirname(realPath(files, file)));
  if (found === undefined) return;
  const { folder, problem } = found;
  const hint =
    problem === "belongs to another user"
      ? ownFolderHint
      : `run chmod go-w ${shellWord(folder)}, or ${ownFolder}`;
  throw new Failure("credentials", `${file} is not used: the folder ${folder} ${problem}`, { hint });
}

export function foreignFailure(file: string, owner: number): Failure {
  return new Failure("credentials", `${file} is not used: it belongs to another user (uid ${owner})`, {
    hint: ownFolderHint,
  });
}

export function exposedFailure(file: string, problem: string): Failure {
  return new Failure("credentials", `${file} ${problem}`, { hint: `run chmod 600 ${shellWord(file)}` });
}

const ownFolder = "set XDG_CONFIG_HOME to a folder of your own";
const ownFolderHint = `run incident as that user, without sudo; or ${ownFolder}`;

/** The path itself for a file that does not exist. */
function realPath(files: Files, file: string): string {
  return files.statSync(file, { throwIfNoEntry: false }) === undefined ? file : files.realpathSync(file);
}
