// Edits the user's settings file atomically, keeps its comments and formatting, and closes it to other users. It is in
// api because it edits YAML, which settings does not import.
import { dirname } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { makeFolders } from "../platform/folders/make-folders.ts";
import { replaceFile } from "../platform/replace-file.ts";
import type { YamlEdit } from "../source/yaml/edit.ts";
import { checkPlace, foreignFailure } from "./own-place.ts";
import { readPrivateFile } from "./private-file.ts";

/** Creates the file if it does not exist. An existing file must be valid. */
export async function editUserSettings(
  context: { readonly files: Files; readonly system: Pick<System, "random" | "user"> },
  file: string,
  edits: readonly YamlEdit[],
): Promise<void> {
  const { files } = context;
  const { editYaml } = await import("../source/yaml/edit.ts");
  try {
    checkPlace(context, file);
    makeFolders(files, dirname(file));
    const found = readPrivateFile(context, file, "usage");
    if (found?.otherOwner !== undefined) throw foreignFailure(file, found.otherOwner);
    // The new content keeps the mode of the file, which may have held no key so far.
    if (found !== undefined) closeToOthers(files, file);
    replaceFile(context, file, editYaml(found?.text ?? "", edits), 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new Failure("usage", `${file} could not be written (${error.code})`, {
      hint: `check the permissions of ${dirname(file)} and the space on its disk; nothing was stored`,
      cause: error,
    });
  }
}

function closeToOthers(files: Files, file: string): void {
  const { O_NONBLOCK, O_RDONLY } = files.constants;
  const descriptor = files.openSync(file, O_RDONLY | (O_NONBLOCK ?? 0));
  try {
    files.fchmodSync(descriptor, 0o600);
  } finally {
    files.closeSync(descriptor);
  }
}
