// The folder for what a command writes only until it ends, such as the state of a sandbox.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import { codeOf } from "../../thrown-value.ts";
import type { Files, System } from "../context.ts";

interface TemporaryDeps {
  readonly files: Pick<Files, "mkdtempSync">;
  readonly system: Pick<System, "temporary">;
}

/** Makes a new folder that only this user can read. `purpose` is a part of its name. Throws a `Failure` "usage". */
export function makeTemporaryFolder({ files, system }: TemporaryDeps, purpose: string): string {
  const { temporary } = system;
  try {
    return files.mkdtempSync(join(temporary, `incident-${purpose}-`));
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new Failure(
      "usage",
      `nothing can be written to ${temporary}, the folder for temporary files (${code})`,
      {
        hint: "name another with TMPDIR",
        cause: error,
      },
    );
  }
}
