// Looks for a journal of this machine without loading it.
import { join } from "node:path";
import type { RunContext } from "../../../kit/define-command.ts";

/** Whether an operation from this machine may have no known outcome. */
export function mayHaveUnsettled({ files, workspace }: RunContext): boolean {
  try {
    return files.readdirSync(join(workspace.stateDirectory.value, "journal")).length > 0;
  } catch {
    return false;
  }
}
