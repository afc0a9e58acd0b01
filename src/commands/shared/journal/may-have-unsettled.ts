// Looks for unsettled operations without loading the journal: a hint, which looks at the entries of this machine alone.
import { join } from "node:path";
import type { RunContext } from "../../../kit/define-command.ts";
import { readRegularFile } from "../../../platform/regular-file.ts";
import { entriesOf, fieldOf, parseJson } from "../../../untrusted-data.ts";

const largestEntry = 16 * 1024 * 1024;

/** Whether an operation from this machine may have no known outcome. */
export function mayHaveUnsettled({ files, workspace }: RunContext): boolean {
  const journal = join(workspace.stateDirectory.value, "journal");
  const last = new Map<unknown, unknown>();
  try {
    for (const name of files.readdirSync(journal))
      for (const entry of files.readdirSync(join(journal, name)).sort()) {
        if (!entry.endsWith(".json")) continue;
        const bytes =
          readRegularFile(files, join(journal, name, entry), largestEntry)?.bytes ?? new Uint8Array();
        const stored = parseJson(Buffer.from(bytes).toString());
        const logs = entriesOf(fieldOf(fieldOf(stored, "snapshot"), "logs"));
        for (const [at, log] of logs.entries()) last.set(logs[at - 1], fieldOf(log, "isUnsettled"));
        for (const item of entriesOf(fieldOf(stored, "appends")))
          last.set(fieldOf(item, "log"), fieldOf(item, "isUnsettled"));
      }
  } catch {
    return false;
  }
  return [...last.values()].includes(true);
}
