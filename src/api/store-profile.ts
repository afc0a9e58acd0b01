// Writes the user's settings file: whole or not at all, for this user alone, and without touching what else stands
// in it.
import { dirname } from "node:path";
import { Failure } from "../failure.ts";
import type { Context } from "../platform/context.ts";
import { replaceFile } from "../platform/replace-file.ts";
import type { YamlEdit } from "../source/yaml.ts";

/** Changes some values of the file, or makes it. The text that is there must have been read as settings before. */
export async function editUserSettings(
  context: Pick<Context, "files" | "random">,
  file: string,
  edits: readonly YamlEdit[],
): Promise<void> {
  const { editYaml } = await import("../source/yaml.ts");
  const { files } = context;
  try {
    files.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const isThere = files.statSync(file, { throwIfNoEntry: false }) !== undefined;
    const text = isThere ? files.readFileSync(file, "utf8") : "";
    // A new content keeps the mode of the old, and the old had perhaps no key in it.
    if (isThere) closeToOthers(context, file);
    replaceFile(context, file, editYaml(text, edits), 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new Failure("usage", `${file} could not be written (${error.code})`, {
      hint: `check the permissions of ${dirname(file)} and the space on its disk; nothing was stored`,
      cause: error,
    });
  }
}

function closeToOthers({ files }: Pick<Context, "files">, file: string): void {
  const descriptor = files.openSync(file, "r");
  try {
    files.fchmodSync(descriptor, 0o600);
  } finally {
    files.closeSync(descriptor);
  }
}
