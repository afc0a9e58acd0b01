// Writes a file that a person named, and never overwrites one.
import { Failure } from "../../failure.ts";
import type { Files } from "../../platform/context.ts";
import { createLinkCheck } from "../../platform/repository.ts";
import { writeNew } from "../../platform/write-all.ts";
import { writeOrFail } from "../../platform/write-named-file.ts";

/** `path` is absolute; `file` is the name for messages. Throws a `Failure` "usage", also where the file exists. */
export function writeNewFile(files: Files, path: string, file: string, text: string): void {
  if (createLinkCheck(files)(path)) {
    throw new Failure("usage", `${file} leads out of the repository by a symbolic link`, {
      hint: "choose another folder; nothing was written",
    });
  }
  writeOrFail(file, "check the folder and its permissions", () => {
    try {
      writeNew(files, path, text, 0o644);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      throw new Failure("usage", `${file} already exists`, {
        hint: "choose another name; the file is unchanged",
      });
    }
  });
}
