// How a create sends the updates after the first one.
import type { Client } from "../../api/client.ts";
import type { BatchOptions } from "../../delivery/batch/batch.ts";
import type { Definition } from "../../incident/definition.ts";
import type { RunContext } from "../../kit/define-command.ts";

/** Never a reason to wait for a document. */
export async function readUpdateOptions(
  context: RunContext,
  { settings }: Client,
  definitions: readonly Definition[],
): Promise<Pick<BatchOptions, "operations" | "splits">> {
  if (definitions.every(({ incidentUpdates }) => incidentUpdates.length === 1)) return {};
  const { operationsAtHand } = await import("../../api/known-operations.ts");
  const { unknownOperations } = await import("../../delivery/timeline/timeline-failures.ts");
  const operations = await operationsAtHand(context, settings);
  return {
    operations: async () => (operations === undefined ? unknownOperations() : { isKnown: true, operations }),
    splits: operations?.addUpdate !== undefined,
  };
}
