// Looks for unsettled operations without loading the journal: a hint, which looks at the last entries of this machine alone.
import { join } from "node:path";
import type { RunContext } from "../../../kit/define-command.ts";
import { readRegularFile } from "../../../platform/regular-file.ts";
import { fieldOf, parseJson } from "../../../untrusted-data.ts";

const largestEntry = 16 * 1024 * 1024;

/** Whether an operation from this machine may have no known outcome. */
export function mayHaveUnsettled({ files, workspace }: RunContext): boolean {
  const journal = join(workspace.stateDirectory.value, "journal");
  try {
    return files.readdirSync(journal).some((name) => {
      const last = files
        .readdirSync(join(journal, name))
        .filter((entry) => entry.endsWith(".json"))
        .sort()
        .at(-1);
      const read = last && readRegularFile(files, join(journal, name, last), largestEntry);
      return read && fieldOf(parseJson(Buffer.from(read.bytes).toString()), "isUnsettled") === true;
    });
  } catch {
    return false;
  }
}
