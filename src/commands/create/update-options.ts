// How a create sends the updates after the first one, and where a person posts the next.
import type { Client } from "../../api/client.ts";
import type { BatchOptions } from "../../delivery/batch/batch.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { argv, commandText, inWebApplication } from "../../text/advice.ts";

/** Never a reason to wait for a document. */
export async function readUpdateOptions(
  context: RunContext,
  { settings }: Client,
  definitions: readonly Definition[],
): Promise<Pick<BatchOptions, "operations" | "splits">> {
  if (definitions.every(({ incidentUpdates }) => incidentUpdates.length === 1)) return {};
  const { operationsAtHand } = await import("../../api/known-operations.ts");
  const { unknownOperations } = await import("../../delivery/incident-failures.ts");
  const operations = await operationsAtHand(context, settings);
  return {
    operations: async () => (operations === undefined ? unknownOperations() : { isKnown: true, operations }),
    splits: operations?.addUpdate !== undefined,
  };
}

/** Where a person posts the next update. Sends no request. */
export async function describeNextUpdate(
  context: RunContext,
  { settings }: Client,
  { id }: Incident,
): Promise<string> {
  const { operationsAtHand } = await import("../../api/known-operations.ts");
  const { addUpdate } = (await operationsAtHand(context, settings)) ?? {};
  return addUpdate === undefined
    ? `post updates ${inWebApplication()}; incident login stores its address, for a link here`
    : `post its updates with ${commandText(argv`incident update ${id}`)}`;
}
