// Edits the user's settings file atomically. Other values of the file stay as they are, and only this user can read
// it.
import { dirname } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { replaceFile } from "../platform/replace-file.ts";
import type { YamlEdit } from "../source/yaml.ts";

/** Changes values of the file, or creates it. The caller has checked that an existing file holds valid settings. */
export async function editUserSettings(
  context: { readonly files: Files; readonly system: Pick<System, "random"> },
  file: string,
  edits: readonly YamlEdit[],
): Promise<void> {
  const { editYaml } = await import("../source/yaml.ts");
  const { files } = context;
  try {
    files.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const isThere = files.statSync(file, { throwIfNoEntry: false }) !== undefined;
    const text = isThere ? files.readFileSync(file, "utf8") : "";
    // replaceFile keeps the mode of the old file, which may be readable by others because it held no key.
    if (isThere) closeToOthers(files, file);
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
