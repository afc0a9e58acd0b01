// Edits the user's settings file atomically, keeps its comments and formatting, and closes it to other users. It is in
// api because it edits YAML, which settings does not import.
import { dirname } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { makeFolders } from "../platform/make-folders.ts";
import { readRegularFile } from "../platform/read-regular-file.ts";
import { replaceFile } from "../platform/replace-file.ts";
import type { YamlEdit } from "../source/yaml.ts";

/** Creates the file if it does not exist. An existing file must be valid. */
export async function editUserSettings(
  context: { readonly files: Files; readonly system: Pick<System, "random"> },
  file: string,
  edits: readonly YamlEdit[],
): Promise<void> {
  const { files } = context;
  const { editYaml } = await import("../source/yaml.ts");
  try {
    makeFolders(files, dirname(file));
    const exists = files.statSync(file, { throwIfNoEntry: false }) !== undefined;
    const text = exists ? readRegularFile(files, file) : "";
    // The new content keeps the mode of the file, which may have held no key so far.
    if (exists) closeToOthers(files, file);
    replaceFile(context, file, editYaml(text, edits), 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new Failure("usage", `${file} could not be written (${error.code})`, {
      hint: `check the permissions of ${dirname(file)} and the space on its disk; nothing was stored`,
      cause: error,
    });
  }
}

function closeToOthers(files: Files, file: string): void {
  const descriptor = files.openSync(file, "r");
  try {
    files.fchmodSync(descriptor, 0o600);
  } finally {
    files.closeSync(descriptor);
  }
}
