// The creates of this machine whose outcome is not known, for a command that has read incidents. A shared journal is not
// read for that: it would delay every answer.
import { join } from "node:path";
import type { Connection } from "../../api/connect.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { fieldOf, parseJson } from "../../untrusted-data.ts";

interface Reads {
  readonly incidents: readonly Incident[];
  readonly failure?: Failure | undefined;
  /** The id that `failure` is about. */
  readonly missing?: string | undefined;
}

/** Warns of each incident whose create is unsettled. Returns the failure with that of `missing`, if there is one. */
export async function tellUnsettled(
  context: RunContext,
  global: GlobalFlags,
  connection: Connection,
  { failure, incidents, missing }: Reads,
): Promise<Failure | undefined> {
  if (connection.journal.location.value.kind !== "folder" || !mayHaveUnsettled(context)) return undefined;
  const { openDelivery } = await import("../../delivery/open-delivery.ts");
  const { unsettled } = await import("../../journal/model.ts");
  const { withUnsettledCreate } = await import("../../delivery/failures.ts");
  try {
    const { delivery } = await openDelivery({ ...context, warn: () => undefined }, connection, global);
    for (const { answeredIds, change, key } of unsettled(await delivery.journal.model(delivery.service))) {
      if (change !== undefined) continue;
      const ids = [key.id, ...answeredIds].map((id) => id.toLowerCase());
      const found = incidents.find(({ id }) => ids.includes(id.toLowerCase()));
      if (found === undefined) continue;
      context.warn(
        `the outcome of the create of ${found.id} is not known here: incident journal settle ${key.id} records that it exists`,
      );
    }
    return failure?.kind === "missing" && missing !== undefined
      ? await withUnsettledCreate(failure, delivery, missing)
      : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

const largestEntry = 16 * 1024 * 1024;

/** Whether the last entries of this machine say so, without loading the journal. */
function mayHaveUnsettled({ files, workspace }: RunContext): boolean {
  const journal = join(workspace.stateDirectory.value, "journal");
  try {
    return files.readdirSync(journal).some((name) => {
      const entries = files.readdirSync(join(journal, name)).filter((entry) => entry.endsWith(".json"));
      const last = entries.sort().at(-1);
      const read = last && readRegularFile(files, join(journal, name, last), largestEntry);
      return read && fieldOf(parseJson(Buffer.from(read.bytes).toString()), "isUnsettled") === true;
    });
  } catch {
    return false;
  }
}
