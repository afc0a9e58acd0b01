// Looks for unsettled entries without loading the journal.
import { join } from "node:path";
import type { RunContext } from "../../../kit/define-command.ts";

/** Whether an operation from this machine may have no known outcome. */
export function mayHaveUnsettled({ files, workspace }: RunContext): boolean {
  try {
    return files.readdirSync(join(workspace.stateDirectory.value, "unsettled")).length > 0;
  } catch {
    return false;
  }
}
